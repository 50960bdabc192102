// The actions of a user, and the state that a user sees.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Replaces the text of a field, and leaves the field. What is longer than a number is pasted, as a person does it. */
export async function type(page, label, text) {
  const field = page.getByLabel(label, { exact: true })
  await field.click()
  await page.keyboard.press('ControlOrMeta+A')
  if (text.length < 20) await field.pressSequentially(text)
  else await page.keyboard.insertText(text)
  await page.keyboard.press('Tab')
}

/** The problem at a field, as a screen reader finds it; `undefined` without a problem. */
export async function problemAt(page, label) {
  const field = page.getByLabel(label, { exact: true })
  if ((await field.getAttribute('aria-invalid')) !== 'true') return undefined
  const ids = (await field.getAttribute('aria-describedby')).split(' ')
  return page.locator(`[id="${ids.at(-1)}"]`).innerText()
}

/** Waits for a text, and looks for it now and then, so that the page has the processor meanwhile. */
export async function expectText(locator, pattern, timeout = 10_000) {
  const end = performance.now() + timeout
  let text = await locator.innerText()
  while (!pattern.test(text) && performance.now() < end) {
    await sleep(50)
    text = await locator.innerText()
  }
  assert.match(text, pattern)
}

/** Submits the form, and returns the sent request and the received reply. */
export async function send(page) {
  const replied = page.waitForResponse('**/api/oc/v1/estimate')
  await page.getByRole('button', { name: 'Ask the service' }).click()
  const response = await replied
  return { request: response.request().postData(), reply: await response.text() }
}
