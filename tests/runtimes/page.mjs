// Pages in browsers: served from this machine, under the strictest policy that WebAssembly can live under.

import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' }
const POLICY = `script-src 'self' 'wasm-unsafe-eval'`

/** Serves a folder while `use` runs with its address. */
export async function serving(folder, use, policy = POLICY) {
  const server = createServer(({ url }, response) => {
    const file = join(folder, url === '/' ? 'index.html' : url)
    if (!existsSync(file)) return response.writeHead(404).end()
    const headers = { 'content-type': TYPES[extname(file)], 'content-security-policy': policy }
    response.writeHead(200, headers).end(readFileSync(file))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${server.address().port}/`)
  } finally {
    server.close()
  }
}

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
