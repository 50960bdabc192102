// The window fills, calls are refused, and pass again after the announced time.

import assert from 'node:assert/strict'
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
  await timer.evaluate((element) => {
    globalThis.ticks = []
    // On a busy machine a page may not run for a second. Then it skips the seconds that passed, and no other.
    let [longest, last] = [0, performance.now()]
    const beat = () => ([longest, last] = [Math.max(longest, performance.now() - last), performance.now()])
    setInterval(beat, 50)
    const tick = () => {
      beat()
      globalThis.ticks.push({ shown: parseInt(element.textContent), now: last, stood: longest > 700 })
      longest = 0
    }
    new MutationObserver(tick).observe(element, { childList: true })
  })
  for (let sent = 0; sent <= limit; sent += 10) {
    await ten.click()
    await expectText(state, sent + 10 <= limit ? /^10 calls: 10 counted/ : /^10 calls: .* refused\.\s+Calls pass/)
  }
  assert.equal(Number(await bar.getAttribute('value')), limit)
  await expectText(page.locator('#calls'), /429, ER-TECH-0100/)
  // The seconds are said once.
  assert.doesNotMatch(await page.locator('#used-text').innerText(), /second/)
  assert.doesNotMatch(await state.innerText(), /second/)
  await look('10-limit')

  await countdown.waitFor({ state: 'hidden' })
  const ticks = (await page.evaluate('ticks')).filter(({ shown }) => shown)
  const said = JSON.stringify(ticks)
  assert(ticks.length > 2, `the countdown ticks: ${said}`)
  const steps = ticks.slice(1).map((tick, at) => ({ ...tick, by: ticks[at].shown - tick.shown, ms: tick.now - ticks[at].now }))
  const isNext = ({ by, ms, stood }) => by === 1 || (stood && by > 1 && by <= 1 + ms / 1000)
  assert(steps.every(isNext), `the countdown ticks by the second: ${said}`)
  await expectText(state, /^Calls pass again\.$/)
  await one.click()
  await expectText(state, /^The call: counted/)
}
