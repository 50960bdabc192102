import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import bundler from 'webpack'
import { report, serving } from '../page.mjs'
import { program } from '../program.mjs'

const { version } = bundler

/** webpack's production build and dev server, without a plugin or a setting for the package. */
export function webpack({ ground, chromium }) {
  const forNode = async () => {
    const path = mkdtempSync(join(tmpdir(), 'sendoff-'))
    try {
      const entry = `${ground.wasm}/node/bundle.mjs`
      await bundled({ target: 'node20', entry, output: { path, filename: 'bundle.cjs' } })
      return await program(process.execPath, ['bundle.cjs'], { cwd: path })
    } finally {
      rmSync(path, { recursive: true })
    }
  }
  let built
  const onPage = async (name) => {
    const folder = `${ground.wasm}/page`
    const output = { path: `${folder}/webpack`, filename: 'page.mjs' }
    await (built ??= bundled({ target: 'web', entry: `${folder}/page.mjs`, output }))
    cpSync(`${folder}/index.html`, `${output.path}/index.html`)
    return serving(output.path, (address) => report(chromium, address, name))
  }
  const pocket = async () => {
    const folder = `${ground.wasm}/pocket`
    const entry = { page: `${folder}/page.mjs`, 'service-worker': `${folder}/service-worker.mjs` }
    const output = { path: `${folder}/webpack`, filename: '[name].js' }
    await bundled({ target: 'web', entry, output, resolve: { conditionNames: ['sendoff-sandbox', '...'] } })
    writeFileSync(`${output.path}/index.html`, readFileSync(`${folder}/index.html`, 'utf8').replace('page.mjs', 'page.js'))
    return serving(output.path, (address) => report(chromium, address, 'onPage'))
  }
  return [
    { name: 'webpack, bundle for Node', version, runs: [forNode] },
    { name: 'webpack, page and Worker', version, runs: ['onPage', 'inWorker'].map((name) => () => onPage(name)) },
    { name: 'webpack, page and service worker, `sendoff/sandbox` with its condition', version, runs: [pocket] },
  ]
}

async function bundled(settings) {
  // webpack warns about every file above 244 kB.
  const stats = await promisify(bundler)({ mode: 'production', performance: false, ...settings })
  const { errors, warnings } = stats.toJson({ errors: true, warnings: true })
  const complaints = [...errors, ...warnings].map(({ message }) => message)
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
}
