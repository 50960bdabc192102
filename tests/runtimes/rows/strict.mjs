import { build, version } from 'esbuild'
import { visited } from '../page.mjs'

/** Pages whose policy allows no WebAssembly. */
export function strict({ ground, chromium }) {
  const app = `${ground.wasm}/js`
  const options = { bundle: true, format: 'esm', minify: true, logLevel: 'error', metafile: true }
  /** Bundles a program, and returns what its page reports and the files that are in it. */
  const built = async (program, name) => {
    const folder = `${app}/${program}`
    const { metafile } = await build({ entryPoints: [`${app}/${program}.mjs`], outfile: `${folder}/page.mjs`, ...options })
    return [await visited(chromium, folder, name, `script-src 'self'`), Object.keys(metafile.inputs)]
  }
  const onPage = async () => {
    const [transferred, files] = await built('flow', 'transferred')
    if (!/^succeeded \/api\/oc\/v1\/estimate \d+$/.test(transferred)) throw new Error(`expected a transfer, found ${transferred}`)
    const cores = files.filter((file) => /\/core[\w-]*\.mjs$/.test(file))
    if (cores.length !== 1) throw new Error(`expected one core beside \`sendoff/js/flow\`, found ${cores}`)
    const [passed] = await built('page', 'onPage')
    return passed
  }
  return [{ name: "esbuild, page with the policy `script-src 'self'`, `sendoff/js`", version, runs: [onPage] }]
}
