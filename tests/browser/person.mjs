// The actions of a user, and the state that a user sees.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

const field = (page, label) => page.getByLabel(label, { exact: true })

/** What a step does, or what is so after it, by its key. */
const VERBS = {
  press: (page, name) => page.getByRole('button', { name, exact: true }).click(),
  fill: (page, [label, text]) => field(page, label).fill(text),
  set: (page, [place, text]) => page.locator(place).fill(text),
  select: (page, [label, option]) => field(page, label).selectOption(option),
  example: (page, kind) => example(page, kind),
  ask: (page) => ask(page),
  unfold: (page, summary) => unfold(page, summary),
  /** A text that is typed in, and the problem that its field has then. */
  type: async (page, [label, text, problem]) => {
    await type(page, label, text)
    const found = await problemAt(page, label)
    if (problem instanceof RegExp) assert.match(found, problem)
    else assert.equal(found, problem)
  },
  focus: (page, place) => page.locator(`${place}:focus`).waitFor(),
  none: async (page, place) => assert.equal(await page.locator(place).count(), 0, place),
  hidden: async (page, place) => assert(await page.locator(place).isHidden(), place),
  button: async (page, [name, count]) => assert.equal(await page.getByRole('button', { name }).count(), count, `${name}`),
}

/**
 * Takes one step after the other, each an object. Its keys are verbs, `look`, or a place on the page, whose text is waited for. They
 * are taken in their order.
 */
export async function steps(page, look, list) {
  for (const [key, value] of list.flatMap(Object.entries)) {
    if (key === 'look') await look(value)
    else if (VERBS[key]) await VERBS[key](page, value)
    else await expectText(page.locator(key), value)
  }
}

/** Replaces the text of a field, and leaves the field. What is longer than a number is pasted, as a person does it. */
export async function type(page, label, text) {
  await field(page, label).click()
  await page.keyboard.press('ControlOrMeta+A')
  if (text.length < 20) await field(page, label).pressSequentially(text)
  else await page.keyboard.insertText(text)
  await page.keyboard.press('Tab')
}

/** The problem at a field, as a person sees and a screen reader finds it; `undefined` without a problem. */
export async function problemAt(page, label) {
  const ids = (await field(page, label).getAttribute('aria-describedby')).split(' ')
  const problem = page.locator(`[id="${ids.at(-1)}"]`)
  const isInvalid = await field(page, label).evaluate((element) => element.matches(':user-invalid'))
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
export const ask = (page) => VERBS.press(page, 'Ask the service')

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
  await VERBS.press(page, 'Fill in an example')
}

/** Opens a part of the page that is folded away. */
export async function unfold(page, summary) {
  const part = page.locator('details', { has: page.getByText(summary, { exact: true }) })
  if (!(await part.evaluate((details) => details.open))) await page.getByText(summary, { exact: true }).click()
}

/** The text that the page copied. */
export const copied = (page) => page.evaluate('navigator.clipboard.readText()')

/** What a page complains about from now on, into a list. */
export function hear(page, complaints) {
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // Chromium logs this for every refusal, and refusals are part of tests.
    const refusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !refusal) complaints.push(message.text())
  })
}

/** Checks what holds in every state of a page that has axe-core, on screens of these widths. Writes a screenshot of the first. */
export async function lookAt(page, state, file, widths) {
  const { violations } = await page.evaluate('axe.run()')
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  assert.deepEqual(found, [], `axe-core, ${state}`)
  const { height } = page.viewportSize()
  for (const width of widths.toReversed()) {
    await page.setViewportSize({ width, height })
    const wide = await page.evaluate('document.documentElement.scrollWidth')
    assert(wide <= width, `${state}: the page is ${wide} pixels wide on a screen of ${width}`)
  }
  // What is sticky would be in the middle of the screenshot.
  await page.evaluate('scrollTo(0, 0)')
  await page.screenshot({ path: file, fullPage: true })
}
