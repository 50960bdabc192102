import { build, createServer, defaultClientConditions, version } from 'vite'
import { visit } from '../../browser/chromium.mjs'
import { visited } from '../page.mjs'

/** Vite's production build and its dev server, without a plugin or a setting for the package. */
export function vite({ ground, chromium }) {
  const settings = (app) => ({ root: `${ground.wasm}/${app}`, base: './', logLevel: 'error', configFile: false })
  let built
  const production = async (name) => {
    await (built ??= build(settings('page')))
    const folder = `${ground.wasm}/page/dist`
    // If the policy forbids WebAssembly, the error names the missing directive.
    const said = await visited(chromium, folder, name, `script-src 'self'`).then(JSON.stringify, String)
    if (!said.includes(`must allow 'wasm-unsafe-eval'`)) throw new Error(`expected a word of the policy, found ${said}`)
    return visited(chromium, folder, name)
  }
  const pocket = async () => {
    const root = `${ground.wasm}/pocket`
    const input = { page: `${root}/index.html`, 'service-worker': `${root}/service-worker.mjs` }
    const output = { entryFileNames: '[name].mjs' }
    const resolve = { conditions: ['sendoff-sandbox', ...defaultClientConditions] }
    await build({ ...settings('pocket'), resolve, build: { rollupOptions: { input, output } } })
    return visited(chromium, `${root}/dist`, 'onPage')
  }
  const dev = async (name) => {
    const server = await createServer({ ...settings('page'), server: { host: '127.0.0.1', port: 0 } })
    try {
      await server.listen()
      return await visit(chromium, server.resolvedUrls.local[0], name)
    } finally {
      await server.close()
    }
  }
  const both = (run) => ['onPage', 'inWorker'].map((name) => () => run(name))
  return [
    { name: 'Vite, production build, page and Worker', version, runs: both(production) },
    { name: 'Vite, production build, page and service worker, `sendoff/sandbox` with its condition', version, runs: [pocket] },
    { name: 'Vite, dev server, page and Worker', version, runs: both(dev) },
  ]
}
