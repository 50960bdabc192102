// IndexedDB in Chromium, with two tabs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inChromium } from '../../../../../tests/browser/chromium.mjs'

const MODULES = `Promise.all(['/indexed-db.mjs', '/tests/writers.mjs'].map((path) => import(path))).then(async ([stores, writers]) => {
  Object.assign(globalThis, writers, { alone: stores.alone, store: await stores.indexedDbStore() })
})`

test('two tabs at once lose nothing, and wait for each other', { timeout: 120_000 }, async () => {
  await inChromium(fileURLToPath(new URL('..', import.meta.url)), async (address, browser) => {
    const context = await browser.newContext()
    const open = async () => {
      const page = await context.newPage()
      await page.goto(`${address}README.md`)
      await page.evaluate(MODULES)
      return page
    }
    const tabs = [await open(), await open()]

    // Both begin at one time, and once more if one had ended before the other began.
    let lost = 0
    for (let round = 1; round <= 10 && lost === 0; round++) {
      const count = `new Promise((resolve) => setTimeout(resolve, ${Date.now() + 200} - Date.now()))
        .then(() => count(store, ["counted"], 100))`
      for (const writer of await Promise.all(tabs.map((tab) => tab.evaluate(count)))) lost += writer
      assert.equal(Number.parseInt(await tabs[0].evaluate('store("counted").get()')), 200 * round)
    }
    assert(lost > 0, 'the tabs never met')

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
