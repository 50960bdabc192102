import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

const require = createRequire(import.meta.url)
const { version } = createRequire(require.resolve('miniflare'))('workerd/package.json')

/** Cloudflare's runtime, with a bundle as wrangler makes it: files of WebAssembly are beside it, and compiled beforehand. */
export function workerd({ ground }) {
  const folder = `${ground.wasm}/workerd`
  const run = async () => {
    const options = { bundle: true, format: 'esm', loader: { '.wasm': 'copy' }, conditions: ['workerd', 'worker', 'browser'], logLevel: 'error' }
    await build({ entryPoints: [`${folder}/worker.mjs`], outdir: `${folder}/built`, ...options })
    const modulesRules = [{ type: 'CompiledWasm', include: ['**/*.wasm'] }]
    const worker = { modules: true, scriptPath: `${folder}/built/worker.js`, modulesRoot: `${folder}/built`, modulesRules }
    const miniflare = new Miniflare({ compatibilityDate: '2025-12-01', host: '127.0.0.1', ...worker })
    try {
      return await (await miniflare.dispatchFetch('http://127.0.0.1/')).text()
    } finally {
      await miniflare.dispose()
    }
  }
  return [{ name: 'workerd (miniflare)', version, runs: [run] }]
}
