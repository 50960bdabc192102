// Pages in browsers, with the strictest Content-Security-Policy that allows WebAssembly.

import { cpSync, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serving } from '../browser/serving.mjs'

const POLICY = `script-src 'self' 'wasm-unsafe-eval'`

const INDEX = fileURLToPath(new URL('apps/index.html', import.meta.url))

/** What a function of the page in a folder returns, which gets the page of apps if its bundler has made none. */
export function visited(browser, folder, name, policy = POLICY) {
  if (!existsSync(`${folder}/index.html`)) cpSync(INDEX, `${folder}/index.html`)
  return serving(folder, (address) => report(browser, address, name), policy)
}

/** What a function of the page at an address returns: `onPage` or `inWorker`. */
export async function report(browser, address, name) {
  const page = await browser.newPage()
  const complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  try {
    await page.goto(address)
    await page.waitForFunction(`globalThis.${name}`, { timeout: 20_000 }).catch(() => {
      throw new Error(`the page did not start: ${complaints.join('; ') || 'no error was shown'}`)
    })
    return await page.evaluate(`${name}()`)
  } finally {
    await page.close()
  }
}
