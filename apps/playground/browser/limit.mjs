// The window fills, calls are refused, and pass again after the announced time.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { expectText } from '../../../tests/browser/person.mjs'

export async function walkLimit(page, look) {
  const [one, ten] = ['Send a counted call', 'Send ten'].map((name) => page.getByRole('button', { name }))
  const state = page.locator('#limit-state')
  const wait = async () => sleep(1000 * Number(/in (\d+) s/.exec(await state.innerText())[1]))
  await ten.click()
  await expectText(state, /counted, \d+ refused\. Calls pass again in \d+ s\.$/)
  await look('5-limit')
  await wait()
  await ten.click()
  // The buttons are there again when all calls are answered.
  await one.click({ trial: true })
  await expectText(state, /^5 counted, 5 refused\. Calls pass again in \d+ s\.$/)
  await wait()
  await one.click()
  await expectText(state, /^1 counted, 0 refused/)
}

/** A service that tells of its window shows how full it is. */
export async function walkWindow(page) {
  await page.getByRole('button', { name: 'Send a counted call' }).click()
  await expectText(page.locator('#limit-state'), /^1 counted, 0 refused\. 1 of 5 calls are used; the window ends in \d+ s\.$/)
  assert.deepEqual(await page.getByRole('progressbar').evaluate(({ max, value }) => [max, value]), [5, 1])
}
