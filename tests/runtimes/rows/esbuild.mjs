import { cpSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, version } from 'esbuild'
import { visited } from '../page.mjs'
import { alone } from '../program.mjs'

const MSW = fileURLToPath(new URL('../node_modules/msw', import.meta.url))

/** Bundles for Node, which run without node_modules, and for pages. */
export function esbuild({ ground: { wasm }, chromium }) {
  const forNode = (format, file) => () =>
    alone(file, (folder) => bundled({ entryPoints: [`${wasm}/node/module.mjs`], platform: 'node', format, outfile: `${folder}/${file}` }))
  const onPage = (app, files, name = 'onPage', { policy, ...options } = {}) => async () => {
    // The page's file is called `page`, whatever its program is.
    const entryPoints = files.map((file, at) => ({ in: `${wasm}/${app}/${file}.mjs`, out: at === 0 ? 'page' : file }))
    const outdir = `${wasm}/${app}/esbuild`
    await bundled({ entryPoints, outdir, format: 'esm', outExtension: { '.js': '.mjs' }, ...options })
    return visited(chromium, outdir, name, policy)
  }
  const msw = () => {
    symlinkSync(MSW, `${wasm}/node_modules/msw`)
    // As `npx msw init` copies it.
    cpSync(`${MSW}/lib/mockServiceWorker.js`, `${wasm}/msw/esbuild/mockServiceWorker.js`)
    return onPage('msw', ['page'])()
  }
  const page = ['page', 'worker']
  const pocket = onPage('pocket', ['page', 'service-worker'], 'onPage', { conditions: ['module', 'sendoff-sandbox'] })
  const strict = (program) => onPage('js', [program], 'onPage', { minify: true, policy: `script-src 'self'` })
  return [
    { name: 'esbuild, bundle for Node, ESM and CommonJS', version, runs: [forNode('esm', 'bundle.mjs'), forNode('cjs', 'bundle.cjs')] },
    { name: 'esbuild, page and Worker', version, runs: [onPage('page', page), onPage('page', page, 'inWorker')] },
    { name: 'esbuild, page and service worker, `sendoff/sandbox` with its condition', version, runs: [pocket] },
    { name: "esbuild, page with MSW's worker, `sendoff/sandbox`", version, runs: [msw] },
    { name: "esbuild, page with the policy `script-src 'self'`, `sendoff/js`, every vector", version, runs: [strict('vectors'), strict('flow')] },
  ]
}

const bundled = (options) => build({ bundle: true, logLevel: 'error', ...options })
