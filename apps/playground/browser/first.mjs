// The first view of the page: a verified example, and a button for every rule.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { comparisonCode, signable } from 'sendoff'
import { expectText } from './person.mjs'

const DEPLOYMENT = new URL('../../../tests/demo/deployment.json', import.meta.url)
const deployment = readFileSync(DEPLOYMENT, 'utf8')

export const RULES = [
  ...['status', 'intent-type', 'job-id', 'payload', 'max-fee', 'max-priority-fee', 'nonce', 'paymaster-data'],
  ...['sender', 'fee-payer', 'fee-chain', 'call-data', 'shape', 'deployment'],
]
/** The cost is paid on the EntryPoint's chain, whose coin is not known, and not in the coin of the transfer's chain. */
const HEADLINE = /^NFT b0f6…4c18 goes to 0xEc18…B831 on Polygon\sAmoy, for at most\s0\.00375\sof the chain's coin on eip155:1802466136\.$/
const [RECIPIENT, STRANGER] = [/0xEc186DB52Cb079380E9Ed11740859d5a45e1B831/i, /0x000000000000000000000000000000000000dEaD/i]

export async function walkFirst(page, look) {
  const verdict = page.locator('#verdict')
  const comparison = page.locator('#comparison')
  await expectText(page.locator('h1'), HEADLINE)
  await expectText(verdict, /^Verified/)
  await unfold(page)
  assert(await page.getByRole('button', { name: 'Swap the recipient', exact: true }).isVisible())
  const hash = await page.locator('#hash').innerText()
  // There are no digits without the number of a second device.
  assert.equal(await page.locator('.digits').count(), 0)
  await page.getByLabel('Number from the second device').fill('12 345 678')
  const code = await page.locator('.digits').innerText()
  assert.equal(code.trim().split(/\s+/).join(' '), comparisonCode(hash, '12345678'))
  assert.deepEqual(await states(page, 'passed'), RULES)
  await look('0-first')

  // One click shows both values side by side.
  await page.getByRole('button', { name: 'Swap the recipient', exact: true }).click()
  await expectText(verdict, /^Refused\. The bytes to sign name another recipient\. There is nothing to sign\.\s+Rule: call-data$/)
  assert.match(await comparison.locator('.asked').innerText(), RECIPIENT)
  assert.match(await comparison.locator('.found').innerText(), STRANGER)
  const [asked, found] = await Promise.all(['.asked', '.found'].map((side) => comparison.locator(side).boundingBox()))
  assert(Math.abs(asked.y - found.y) < 1 && asked.x + asked.width <= found.x, 'asked and found are side by side')
  await expectText(comparison, /Your wallet signs\s+Nothing/)
  assert.equal(await page.locator('#hash, .digits').count(), 0)
  assert.match(await page.locator('h1').innerText(), HEADLINE)
  await look('0-swapped')

  // Only the rule of a button refuses its change, and every rule has a button.
  const broken = new Set()
  for (const button of await page.locator('#rules button').all()) {
    const rule = await button.locator('..').locator('.rule code').innerText()
    await button.click()
    await expectText(verdict, new RegExp(`^Refused\\. [A-Z][a-z ]+\\. There is nothing to sign\\.\\s+Rule: ${rule}$`))
    assert.deepEqual(await states(page, 'failed'), [rule])
    assert.equal(await button.getAttribute('aria-pressed'), 'true')
    assert.equal(await page.locator('#rules [aria-pressed=true]').count(), 1)
    assert((await comparison.locator('.differences li').count()) > 0, `${rule} shows what differs`)
    assert.equal(await page.locator('#hash').count(), 0)
    broken.add(rule)
  }
  assert.deepEqual([...broken].sort(), [...RULES].sort())

  await page.getByRole('button', { name: 'Put it back' }).click()
  await expectText(verdict, /^Verified/)
  assert.equal(await page.locator('#hash').innerText(), hash)
  assert.equal(await page.locator('.digits').innerText(), code)

  // Another runtime computes the same hash from the copied request and reply.
  await page.getByRole('button', { name: 'Copy request and reply' }).click()
  await expectText(page.locator('#copied'), /^Copied/)
  const { request, reply } = JSON.parse(await page.evaluate('navigator.clipboard.readText()'))
  assert.equal(signable(request, reply, deployment).hash, hash)

  // The form of signatures of a deployment can be chosen.
  await page.getByText('The deployment that a wallet pins').click()
  await page.getByLabel('What a key signs').selectOption('raw')
  assert.equal(await page.locator('#digest').innerText(), hash)
  await page.getByLabel('What a key signs').selectOption('typedData')
  await expectText(verdict, /^Refused\. The reply is for another deployment\./)
  await page.getByLabel('What a key signs').selectOption('')
  await expectText(verdict, /^Verified/)

  // With another public deployment, the reply is refused.
  const preset = page.getByLabel('Fill in a public deployment')
  await preset.selectOption('production')
  assert.equal(await page.getByLabel("EntryPoint's chain").inputValue(), '8088')
  await expectText(verdict, /^Refused\. The reply is for another deployment\./)
  await preset.selectOption('sandbox')
  await expectText(verdict, /^Verified/)
  assert.equal(await page.locator('#hash').innerText(), hash)
  await page.getByText('The deployment that a wallet pins').click()
}

/** Unfolds the rules. They are folded on a small screen, where the form would be far below. */
async function unfold(page) {
  const fold = page.locator('#rules-fold')
  if (await fold.evaluate((details) => details.open)) return
  const top = await page.getByRole('heading', { name: 'Compose your own' }).evaluate((heading) => heading.getBoundingClientRect().top + scrollY)
  assert(top < 3_300, `the form begins at ${top} pixels`)
  await page.getByText('Break any rule').click()
}

/** The rules with this state. */
export async function states(page, state) {
  return page.locator(`#rules li.${state} .rule code`).allInnerTexts()
}
