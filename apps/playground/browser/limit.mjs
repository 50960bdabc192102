// The window fills, calls are refused, and pass again after the announced time.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { expectText } from './person.mjs'

export async function walkLimit(page, look) {
  const one = page.getByRole('button', { name: 'Send a counted call' })
  const ten = page.getByRole('button', { name: 'Send ten' })
  const state = page.locator('#limit-state')
  const countdown = page.locator('#countdown')
  const timer = page.locator('#countdown-time')
  const bar = page.getByRole('progressbar')

  await one.click()
  await expectText(state, /^The call: counted/)
  const limit = Number(await bar.getAttribute('max'))
  await expectText(page.locator('#used-text'), new RegExp(`of ${limit} calls are used\\. It ends in \\d+ second`))
  await look('9-window')

  // A new window without calls of earlier tests, with enough time to see the countdown.
  await expectText(page.locator('#used-text'), /^It has ended/, 60_000)
  // The page's clock stands still, and is moved below: on a busy machine a page may not run for a second.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
  for (let sent = 0; sent <= limit; sent += 10) {
    await ten.click()
    await expectText(state, sent + 10 <= limit ? /^10 calls: 10 counted/ : /^10 calls: .* refused\.\s+Calls pass/)
  }
  const refused = performance.now()
  assert.equal(Number(await bar.getAttribute('value')), limit)
  await expectText(page.locator('#calls'), /429, ER-TECH-0100/)
  // The seconds are said once.
  assert.doesNotMatch(await page.locator('#used-text').innerText(), /second/)
  assert.doesNotMatch(await state.innerText(), /second/)
  const looked = look('10-limit').then(() => true)
  // axe-core waits for timers of the page.
  while (!(await Promise.race([looked, sleep(10)]))) await page.clock.runFor(1)

  const wait = Number.parseInt(await timer.innerText())
  assert(wait > 2, `the countdown has ${wait} seconds to count`)
  for (let left = wait; left > 0; left -= 1) {
    assert.equal(await timer.innerText(), left === 1 ? '1 second' : `${left} seconds`)
    await page.clock.runFor(1000)
  }
  assert(await countdown.isHidden())
  await expectText(state, /^Calls pass again\.$/)
  await page.clock.resume()
  // The gateway counts by its own clock.
  await sleep(refused + wait * 1000 - performance.now())
  await one.click()
  await expectText(state, /^The call: counted/)
}
