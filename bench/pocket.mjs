// node bench/pocket.mjs: how long a page with the pocket service and `sendoff` waits, from an empty page to the first reply.
// The script is loaded already; its modules are unpacked and compiled within the time.

import { mkdirSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { launch } from '../tests/browser/chromium.mjs'
import { serving } from '../tests/browser/serving.mjs'

const here = (path) => new URL(path, import.meta.url).pathname
const folder = here('../target/pocket')
const PAGES = 25

const contents = `
  import { Sandbox } from 'sendoff/sandbox'
  import { readText } from 'sendoff'
  globalThis.first = () => {
    const start = performance.now()
    const sandbox = new Sandbox()
    const request = { method: 'GET', target: '/api/v1/portfolio', headers: { authorization: 'Bearer sandbox-token' } }
    if (sandbox.answer(request, 1_750_000_000_000).status !== 201) throw new Error('expected a reply')
    const replied = performance.now()
    readText('quantity', '0x10')
    return [replied - start, performance.now() - start]
  }`

mkdirSync(folder, { recursive: true })
const options = { bundle: true, format: 'esm', minify: true, platform: 'browser', conditions: ['module', 'sendoff-sandbox'] }
await build({ stdin: { contents, resolveDir: here('../bindings/sendoff-js') }, ...options, outfile: `${folder}/pocket.js` })
writeFileSync(`${folder}/pocket.html`, '<!doctype html><meta charset="utf-8"><script type="module" src="pocket.js"></script>')

const browser = await launch()
await serving(folder, visit).finally(() => browser.close())

async function visit(address) {
  const times = []
  for (let n = 0; n < PAGES; n += 1) {
    const page = await browser.newPage()
    await page.goto(`${address}pocket.html`, { waitUntil: 'load' })
    times.push(await page.evaluate(() => globalThis.first()))
    await page.close()
  }
  for (const [name, at] of [['the first reply', 0], ['and the first call of `sendoff`', 1]]) {
    const sorted = times.map((time) => time[at]).sort((a, b) => a - b)
    console.log(`${name}: ${sorted[PAGES >> 1].toFixed(1)} ms, least ${sorted[0].toFixed(1)} (Chromium ${browser.version()}, ${PAGES} pages)`)
  }
}
