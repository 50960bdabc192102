// IndexedDB in Chromium, with two tabs.

import assert from 'node:assert/strict'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inChromium } from '../../../../../tests/browser/chromium.mjs'
import { EXPECTED, jobs } from './writers.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const folder = at('../../../../../target/submissions')

const PAGE = `<!doctype html>
<script type="importmap">
  {
    "imports": {
      "sendoff": "/sendoff/index.mjs",
      "sendoff/testing": "/sendoff/testing.mjs",
      "sendoff/flow": "/sendoff/flow.mjs",
      "#core": "/sendoff/page/core.mjs",
      "#sign": "/sendoff/page/sign.mjs"
    }
  }
</script>
<script type="module">
  import { alone, indexedDbStore } from '/indexed-db.mjs'
  import * as writers from '/tests/writers.mjs'
  Object.assign(globalThis, writers, { alone, store: await indexedDbStore() })
</script>`

test('two tabs at once lose nothing, make one job, and wait for each other', { timeout: 120_000 }, async () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(`${folder}/tests`, { recursive: true })
  for (const file of ['transfers.mjs', 'indexed-db.mjs', 'tests/writers.mjs']) cpSync(at(`../${file}`), `${folder}/${file}`)
  cpSync(at('../../../dist'), `${folder}/sendoff`, { recursive: true })
  writeFileSync(`${folder}/index.html`, PAGE)

  await inChromium(folder, async (address, browser) => {
    const context = await browser.newContext()
    const open = async () => {
      const page = await context.newPage()
      await page.goto(address)
      await page.waitForFunction('globalThis.store', undefined, { timeout: 30_000 })
      return page
    }
    const tabs = [await open(), await open()]

    // Both begin at one time, and once more if one had ended before the other began.
    let lost = 0
    for (let round = 1; round <= 10 && lost === 0; round++) {
      const count = `new Promise((resolve) => setTimeout(resolve, ${Date.now() + 200} - Date.now()))
        .then(() => count(store, "counted", 100))`
      for (const writer of await Promise.all(tabs.map((tab) => tab.evaluate(count)))) lost += writer
      assert.equal(await tabs[0].evaluate('store("counted").get()'), String(200 * round))
    }
    assert(lost > 0, 'the tabs never met')

    const [one, other] = await Promise.all(tabs.map((tab, writer) => tab.evaluate(`start(store, ${writer}, 50)`)))
    assert.deepEqual(jobs(one, other), Array(50).fill(1))

    assert.deepEqual(await tabs[0].evaluate('retry(store, "retried")'), EXPECTED)

    // While one tab sends, the other waits.
    const sends = `alone('sent', async () => {
      const from = Date.now()
      // The first waits until the other asks.
      while (!localStorage.met && (await navigator.locks.query()).pending.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      localStorage.met = 'yes'
      return [from, Date.now()]
    })`
    const [first, second] = (await Promise.all(tabs.map((tab) => tab.evaluate(sends)))).sort(([a], [b]) => a - b)
    assert(first[1] <= second[0], `${first} overlaps ${second}`)
  })
})
