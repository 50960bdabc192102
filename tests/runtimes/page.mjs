// Pages in browsers, with the strictest Content-Security-Policy that allows WebAssembly.

import { serving as served } from '../browser/serving.mjs'

const POLICY = `script-src 'self' 'wasm-unsafe-eval'`

/** Serves a folder while `use` runs with its address. */
export const serving = (folder, use, policy = POLICY) => served(folder, use, policy)

/** The report of a function of the page at an address: `onPage` or `inWorker`. */
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
