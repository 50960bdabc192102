// node start.mjs: builds the program of the quick start for pages with Vite, and opens it in Chromium.

import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { inChromium } from '../../tests/browser/chromium.mjs'
import { fences } from '../test/guides.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const place = at('../../target/docs/shop')
const { build } = await import(createRequire(at('../../apps/playground/package.json')).resolve('vite'))

rmSync(place, { recursive: true, force: true })
mkdirSync(place, { recursive: true })
symlinkSync(at('../node_modules'), `${place}/node_modules`)
writeFileSync(`${place}/index.html`, fences('start/web.md', 'html')[0])
await build({ root: place, configFile: false, logLevel: 'error' })

await inChromium(`${place}/dist`, async (origin, browser) => {
  const page = await browser.newPage()
  await page.goto(origin)
  await page.locator('pre').getByText('refused').waitFor({ timeout: 10_000 })
  assert.equal(await page.locator('pre').innerText(), fences('start/web.md', 'text')[0])
})
console.log('the quick start for pages shows what it says')
