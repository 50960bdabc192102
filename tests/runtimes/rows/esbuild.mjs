import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, version } from 'esbuild'
import { report, visited } from '../page.mjs'
import { alone } from '../program.mjs'

const MSW = fileURLToPath(new URL('../node_modules/msw', import.meta.url))

/** Bundles for Node, which run without node_modules, and for pages. */
export function esbuild({ ground: { wasm }, chromium }) {
  const forNode = (format, file) => () =>
    alone(file, (folder) => bundled({ entryPoints: [`${wasm}/node/bundle.mjs`], platform: 'node', format, outfile: `${folder}/${file}` }))
  const onPage = (app, files, name = 'onPage', conditions = undefined) => async () => {
    const entryPoints = files.map((file) => `${wasm}/${app}/${file}.mjs`)
    const outdir = `${wasm}/${app}/esbuild`
    await bundled({ entryPoints, outdir, format: 'esm', outExtension: { '.js': '.mjs' }, conditions })
    return visited(chromium, outdir, name)
  }
  const msw = () => {
    symlinkSync(MSW, `${wasm}/node_modules/msw`)
    // As `npx msw init` copies it.
    cpSync(`${MSW}/lib/mockServiceWorker.js`, `${wasm}/msw/esbuild/mockServiceWorker.js`)
    return onPage('msw', ['page'])()
  }
  const asFile = async () => {
    const folder = `${wasm}/page/file`
    await bundled({ entryPoints: [`${wasm}/run.mjs`], outfile: `${folder}/page.js`, format: 'iife', globalName: 'application' })
    writeFileSync(`${folder}/index.html`, '<script src="page.js"></script><script>onPage = application.run</script>')
    return report(chromium, `file://${folder}/index.html`, 'onPage')
  }
  const page = ['page', 'worker']
  const pocket = onPage('pocket', ['page', 'service-worker'], 'onPage', ['module', 'sendoff-sandbox'])
  return [
    { name: 'esbuild, bundle for Node, ESM and CommonJS', version, runs: [forNode('esm', 'bundle.mjs'), forNode('cjs', 'bundle.cjs')] },
    { name: 'esbuild, page and Worker', version, runs: [onPage('page', page), onPage('page', page, 'inWorker')] },
    { name: 'esbuild, page and service worker, `sendoff/sandbox` with its condition', version, runs: [pocket] },
    { name: "esbuild, page with MSW's worker, `sendoff/sandbox`", version, runs: [msw] },
    { name: 'esbuild, page opened as a file', version, runs: [asFile] },
  ]
}

const bundled = (options) => build({ bundle: true, logLevel: 'error', ...options })
