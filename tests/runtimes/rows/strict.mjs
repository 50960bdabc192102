import { cpSync } from 'node:fs'
import { build, version } from 'esbuild'
import { report, serving } from '../page.mjs'

/** Pages whose policy allows no WebAssembly. */
export function strict({ ground, chromium }) {
  const app = `${ground.wasm}/js`
  const onPage = async () => {
    await build({ entryPoints: [`${app}/page.mjs`], outfile: `${app}/strict/page.js`, bundle: true, minify: true, logLevel: 'error' })
    cpSync(`${app}/index.html`, `${app}/strict/index.html`)
    return serving(`${app}/strict`, (address) => report(chromium, address, 'onPage'), `script-src 'self'`)
  }
  return [{ name: "esbuild, page with the policy `script-src 'self'`, `sendoff/js`", version, runs: [onPage] }]
}
