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

/** The problem at a field, as a person sees and a screen reader finds it; `undefined` without a problem. */
export async function problemAt(page, label) {
  const field = page.getByLabel(label, { exact: true })
  const ids = (await field.getAttribute('aria-describedby')).split(' ')
  const problem = page.locator(`[id="${ids.at(-1)}"]`)
  const isInvalid = await field.evaluate((element) => element.matches(':user-invalid'))
  assert.equal(await problem.isVisible(), isInvalid)
  return isInvalid ? problem.innerText() : undefined
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

/** Submits the form. */
export const ask = (page) => page.getByRole('button', { name: 'Ask the service' }).click()

/** Submits the form, and returns the sent request and the received reply. */
export async function send(page) {
  const replied = page.waitForResponse('**/api/oc/v1/estimate')
  await ask(page)
  const response = await replied
  return { request: response.request().postData(), reply: await response.text() }
}

/** Chooses a type of transfer, and fills in its example. */
export async function example(page, type) {
  await page.getByLabel('Type of transfer').selectOption(type)
  await page.getByRole('button', { name: 'Fill in an example' }).click()
}

/** Opens a part of the page that is folded away. */
export async function unfold(page, summary) {
  const part = page.locator('details', { has: page.getByText(summary, { exact: true }) })
  if (!(await part.evaluate((details) => details.open))) await page.getByText(summary, { exact: true }).click()
}
