import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, resolve } from 'node:path'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

const require = createRequire(import.meta.url)
const { version } = createRequire(require.resolve('miniflare'))('workerd/package.json')

/** Cloudflare's runtime, with a bundle as wrangler makes it. */
export function workerd({ ground }) {
  return [{ name: 'workerd (miniflare)', version, runs: [() => answered(`${ground.wasm}/workerd/worker.mjs`)] }]
}

async function answered(entry) {
  const miniflare = new Miniflare({ compatibilityDate: '2025-12-01', host: '127.0.0.1', modules: await bundled(entry) })
  try {
    const response = await miniflare.dispatchFetch('http://127.0.0.1/')
    if (!response.ok) throw new Error(await response.text())
    return await response.json()
  } finally {
    await miniflare.dispose()
  }
}

/** The Worker, and every WebAssembly file that it imports, which is compiled beforehand. */
async function bundled(entry) {
  const compiled = []
  const modules = {
    name: 'modules',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
        const contents = readFileSync(resolve(resolveDir, path))
        compiled.push({ type: 'CompiledWasm', path: basename(path), contents })
        return { path: `./${basename(path)}`, external: true }
      }),
  }
  const options = { bundle: true, format: 'esm', write: false, conditions: ['workerd', 'worker', 'browser'] }
  const { outputFiles } = await build({ entryPoints: [entry], plugins: [modules], logLevel: 'error', ...options })
  return [{ type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0].text }, ...compiled]
}
