// Pages in browsers, with the strictest Content-Security-Policy that allows WebAssembly.

import { cpSync, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { visit } from '../browser/chromium.mjs'
import { serving } from '../browser/serving.mjs'

const POLICY = `script-src 'self' 'wasm-unsafe-eval'`

const INDEX = fileURLToPath(new URL('apps/index.html', import.meta.url))

/** What a function of the page in a folder returns, which gets the page of apps if its bundler has made none. */
export function visited(browser, folder, name, policy = POLICY) {
  if (!existsSync(`${folder}/index.html`)) cpSync(INDEX, `${folder}/index.html`)
  return serving(folder, (address) => visit(browser, address, name), policy)
}
