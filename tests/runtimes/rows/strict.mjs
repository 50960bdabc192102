import { cpSync } from 'node:fs'
import { build, version } from 'esbuild'
import { report, serving } from '../page.mjs'

/** Pages whose policy allows no WebAssembly. */
export function strict({ ground, chromium }) {
  const app = `${ground.wasm}/js`
  const built = async (page, html) => {
    const options = { bundle: true, minify: true, logLevel: 'error', metafile: true }
    const { metafile } = await build({ entryPoints: [`${app}/${page}.mjs`], outfile: `${app}/strict/${page}.js`, ...options })
    cpSync(`${app}/${html}.html`, `${app}/strict/${html}.html`)
    return Object.keys(metafile.inputs)
  }
  const visit = async (address) => {
    const transferred = await report(chromium, `${address}flow.html`, 'transferred')
    if (!/^succeeded \/api\/oc\/v1\/estimate \d+$/.test(transferred)) throw new Error(`expected a transfer, found ${transferred}`)
    return report(chromium, address, 'onPage')
  }
  const onPage = async () => {
    await built('page', 'index')
    const cores = (await built('flow', 'flow')).filter((file) => /\/core[\w-]*\.mjs$/.test(file))
    if (cores.length !== 1) throw new Error(`expected one core beside \`sendoff/js/flow\`, found ${cores}`)
    return serving(`${app}/strict`, visit, `script-src 'self'`)
  }
  return [{ name: "esbuild, page with the policy `script-src 'self'`, `sendoff/js`", version, runs: [onPage] }]
}
