import { promisify } from 'node:util'
import bundler from 'webpack'
import { visited } from '../page.mjs'
import { alone } from '../program.mjs'

const { version } = bundler

/** webpack's production build, without a plugin or a setting for the package. */
export function webpack({ ground: { wasm }, chromium }) {
  const forNode = () =>
    alone('bundle.cjs', (path) => bundled({ target: 'node20', entry: `${wasm}/node/module.mjs`, output: { path, filename: 'bundle.cjs' } }))
  const onPage = (app, files, name = 'onPage', resolve = {}) => async () => {
    const entry = Object.fromEntries(files.map((file) => [file, `${wasm}/${app}/${file}.mjs`]))
    const path = `${wasm}/${app}/webpack`
    await bundled({ target: 'web', entry, output: { path, filename: '[name].mjs' }, resolve })
    return visited(chromium, path, name)
  }
  const pocket = onPage('pocket', ['page', 'service-worker'], 'onPage', { conditionNames: ['sendoff-sandbox', '...'] })
  return [
    { name: 'webpack, bundle for Node', version, runs: [forNode] },
    { name: 'webpack, page and Worker', version, runs: [onPage('page', ['page']), onPage('page', ['page'], 'inWorker')] },
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
