import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, version } from 'esbuild'
import { report, serving } from '../page.mjs'
import { program } from '../program.mjs'

const MSW = fileURLToPath(new URL('../node_modules/msw', import.meta.url))

/** Bundles for Node, which run without node_modules, and for pages. */
export function esbuild({ ground, chromium }) {
  const { node, page } = { node: `${ground.wasm}/node`, page: `${ground.wasm}/page` }
  const forNode = async (format) => {
    const away = mkdtempSync(join(tmpdir(), 'sendoff-'))
    try {
      const outfile = join(away, format === 'esm' ? 'bundle.mjs' : 'bundle.cjs')
      await bundled({ entryPoints: [`${node}/bundle.mjs`], platform: 'node', format, outfile })
      return await program(process.execPath, [outfile], { cwd: away })
    } finally {
      rmSync(away, { recursive: true })
    }
  }
  const onPage = async (name) => {
    const entryPoints = ['page.mjs', 'worker.mjs', 'index.html'].map((file) => `${page}/${file}`)
    const outdir = `${page}/esbuild`
    const kinds = { loader: { '.html': 'copy' }, outExtension: { '.js': '.mjs' } }
    await bundled({ entryPoints, outdir, format: 'esm', ...kinds })
    return serving(outdir, (address) => report(chromium, address, name))
  }
  const pocket = async () => {
    const folder = `${ground.wasm}/pocket`
    const entryPoints = ['page.mjs', 'service-worker.mjs'].map((file) => `${folder}/${file}`)
    await bundled({ entryPoints, outdir: `${folder}/esbuild`, format: 'esm', conditions: ['module', 'sendoff-sandbox'] })
    writeFileSync(`${folder}/esbuild/index.html`, readFileSync(`${folder}/index.html`, 'utf8').replace('page.mjs', 'page.js'))
    return serving(`${folder}/esbuild`, (address) => report(chromium, address, 'onPage'))
  }
  const msw = async () => {
    const folder = `${ground.wasm}/msw`
    symlinkSync(MSW, `${ground.wasm}/node_modules/msw`)
    // As `npx msw init` copies it.
    cpSync(`${MSW}/lib/mockServiceWorker.js`, `${folder}/esbuild/mockServiceWorker.js`)
    cpSync(`${folder}/index.html`, `${folder}/esbuild/index.html`)
    await bundled({ entryPoints: [`${folder}/page.mjs`], outdir: `${folder}/esbuild`, format: 'esm' })
    return serving(`${folder}/esbuild`, (address) => report(chromium, address, 'onPage'))
  }
  const asFile = async () => {
    const entryPoints = [`${page}/run.mjs`]
    await bundled({ entryPoints, outfile: `${page}/file/page.js`, format: 'iife', globalName: 'application' })
    const html = '<script src="page.js"></script><script>onPage = application.run</script>'
    writeFileSync(`${page}/file/index.html`, html)
    return report(chromium, `file://${page}/file/index.html`, 'onPage')
  }
  return [
    { name: 'esbuild, bundle for Node, ESM and CommonJS', version, runs: [() => forNode('esm'), () => forNode('cjs')] },
    { name: 'esbuild, page and Worker', version, runs: [() => onPage('onPage'), () => onPage('inWorker')] },
    { name: 'esbuild, page and service worker, `sendoff/sandbox` with its condition', version, runs: [pocket] },
    { name: "esbuild, page with MSW's worker, `sendoff/sandbox`", version, runs: [msw] },
    { name: 'esbuild, page opened as a file', version, runs: [asFile] },
  ]
}

const bundled = (options) => build({ bundle: true, logLevel: 'error', ...options })
