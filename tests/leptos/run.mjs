// node run.mjs GLUE: opens the page of this folder in Chromium, with the code that wasm-bindgen wrote into the folder GLUE.

import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inChromium } from '../browser/chromium.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const site = at('../../target/leptos/site')
const recipient = '0xEc186DB52Cb079380E9Ed11740859d5a45e1B831'

rmSync(site, { recursive: true, force: true })
cpSync(at('index.html'), `${site}/index.html`)
cpSync(process.argv[2], `${site}/glue`, { recursive: true })
await inChromium(site, visit)
console.log('what was asked for is signed, and nothing else')

async function visit(address, browser) {
  const page = await browser.newPage()
  const complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(address)
  const says = (text) => page.getByRole('status').filter({ hasText: text }).waitFor({ timeout: 20_000 })
  await says('expected an address')
  const to = page.getByLabel('To')
  await to.fill(recipient.toLowerCase().replace('0xe', '0xE'))
  await says('checksum')
  await to.fill(recipient)
  await says(/NFT 56 of the collection .* goes to .*sign 0x[0-9a-f]{64}/)
  await page.getByLabel('another recipient').check()
  await says(`expected \`${recipient}\` (request), found`)
  assert.deepEqual(complaints, [])
}
