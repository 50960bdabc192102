// The first view: three transfers with the pocket service, each to its end, and the reply that they are about.

import assert from 'node:assert/strict'
import { comparisonCode, signable } from 'sendoff'
import { Sandbox } from 'sendoff/sandbox'
import { copied, steps } from '../../../tests/browser/person.mjs'

const HEADLINE = /^25\sUSDC goes to 0x88be…3eF2 on Polygon, for at most 0\.00375\sPOL\.$/
const [RECIPIENT, STRANGER] = [/0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2/i, /0x5afe0000000000000000000000000000000bad00/i]
const REFUSED = /^Refused\. Recipient is not what you asked for\. There is nothing to sign\.$/
const REFUSES = ['passed', /The service lies\.\s+Nothing moved\.\s+It refuses\./]

export async function walkStory(page, look) {
  const run = (...list) => steps(page, look, list)
  const [headline, comparison, own] = [page.locator('h1'), page.locator('#comparison'), page.getByLabel('Deployment', { exact: true })]
  const hashShown = () => page.locator('#hash').innerText()
  /** What each card is about, and whether it is right, once the service told a lie: the button is there again then. */
  const told = async (name, ...cards) => {
    if (name) await page.getByLabel('Its lie').selectOption(name)
    await page.getByRole('button', { name: 'Ask the service' }).click({ trial: true })
    for (const [at, [look, pattern]] of cards.entries()) await run({ [`#runs li:nth-child(${at + 1}).${look}`]: pattern })
  }

  // Without the kit the same client pays whom the service says; with it, it names the recipient. The amount is not broken.
  await run({ h1: HEADLINE })
  const pieces = await headline.evaluate((element) => {
    const range = document.createRange()
    const text = element.lastChild
    const at = text.data.indexOf('0.00375')
    range.setStart(text, at)
    range.setEnd(text, at + '0.00375 POL'.length)
    return range.getClientRects().length
  })
  assert.equal(pieces, 1)
  await told(undefined,
    ['passed', /signs what comes back\s+The service is honest\.\s+25\sUSDC went to 0x88be…3ef2\.\s+It says: succeeded, for at most 0\.00375\sPOL\./],
    ['failed', /The service lies\.\s+25\sUSDC went to a stranger, 0x5afe…ad00\.\s+It says: succeeded/],
    ['passed', /with signable\s+The service lies\.\s+Nothing moved\.\s+It refuses\. Recipient: expected 0x88be…3eF2, found 0x5afe…ad00\./])
  await run({ '#verdict': /^Verified\. What moves, .* are as you asked\. Nothing is left to the server\.$/ })
  const offered = await page.locator('#lie option').evaluateAll((options) => options.map(({ value }) => value))
  assert.deepEqual(offered, Sandbox.lies().filter(({ on }) => on === 'estimate').map(({ name }) => name))
  await look('0-first')

  // One button shows the lie and puts the reply back, by the keyboard too. The headline stays true.
  const hash = await hashShown()
  await page.getByLabel('Its lie').focus()
  await page.keyboard.press('Tab')
  await run({ focus: '#swap' })
  await page.keyboard.press('Enter')
  await run({ '#verdict': REFUSED, '#comparison': /Your wallet signs\s+Nothing/, none: '#hash, .digits', '#swap': /^Put it back$/, h1: HEADLINE })
  const [asked, found] = ['.asked', '.found'].map((side) => comparison.locator(side).first())
  assert.match(await asked.innerText(), RECIPIENT)
  assert.match(await found.innerText(), STRANGER)
  const [left, right] = [await asked.boundingBox(), await found.boundingBox()]
  assert(Math.abs(left.y - right.y) < 1 && left.x + left.width <= right.x, 'asked and found are side by side')
  await run({ look: '0-lie', press: 'Put it back', '#verdict': /^Verified/, '#swap': /^Show the lie$/ })
  assert.equal(await hashShown(), hash)

  // What the deployment does not bind is said beside the verdict. On another chain the reply is refused, and its cost is not in that
  // chain's coin.
  await run({ unfold: 'The deployment that a wallet pins' })
  const pinned = await own.inputValue()
  const { expect, ...where } = JSON.parse(pinned)
  await run(
    { fill: ['Deployment', JSON.stringify(where)], '#verdict': /^Verified\. .* Left to the server: sender, policies, gsn, callGasLimit, .*\.$/ },
    { fill: ['Deployment', JSON.stringify({ ...where, expect, signs: 'raw' })], '#digest': new RegExp(`^${hash}$`) },
    { select: ['Fill in a public deployment', 'sandbox'], h1: /^(?![^]*POL)/ },
  )
  assert.equal(JSON.parse(await own.inputValue()).chainId, 1802466136)

  // Another runtime computes the same hash and digits from what the page copies.
  await run({ fill: ['Deployment', pinned], h1: HEADLINE, none: '.digits' }, { fill: ['Number from the second device', '12 345 678'] })
  const code = await page.locator('.digits').innerText()
  assert.equal(code.trim().split(/\s+/).join(' '), comparisonCode(hash, '12345678'))
  await run({ press: 'Copy request and reply', '#copied': /^Copied/ })
  const { request, reply } = JSON.parse(await copied(page))
  assert.equal(signable(request, reply, pinned).hash, hash)

  // Other lies: what is moved, what is approved, what it costs, and what is only said.
  await told('amount-raised', ['passed', /25\sUSDC/], ['failed', /[1-9][\d,]{2,}\sUSDC went to 0x88be/], REFUSES)
  await told('approval-instead', ['passed', /25\sUSDC/], ['failed', /All USDC may be taken by a stranger, 0x5afe/], REFUSES)
  await told('gas-raised', ['passed', /0\.00375\sPOL/], ['failed', /25\sUSDC went to 0x88be…3ef2\.\s+It says: succeeded, for at most 0\.1\d+\sPOL/], REFUSES)
  await told('fee-in-dollars', ['passed', /./], ['passed', /25\sUSDC went to 0x88be/], ['passed', /25\sUSDC went to 0x88be/])
  await told('transaction-added')
  await run({ '#runs li:nth-child(2)': /This lie is for another transfer/ })

  // An NFT and a batch of what the user has; lies about them.
  await run({ example: 'NFT_TRANSFER', ask: true, h1: /^NFT 56 goes to 0x88be…3eF2 on Polygon, for at most/ })
  await told('recipient-in-the-bytes', ['passed', /NFT 56 of .* went to 0x88be/], ['failed', /NFT 56 of .* went to a stranger/], REFUSES)
  await run({ example: 'RAW_TRANSACTION', ask: true, h1: /^2 transactions run on Polygon, for at most/, '#moves': /^0\.01 POL [^]*25 USDC/ })
  await told('transaction-added', ['passed', /0\.01\sPOL went to .*25\sUSDC went to/], ['failed', /went to a stranger/], REFUSES)

  // More than there is fails on its chain, and nothing is said to be done.
  await run({ look: '1-batch', example: 'TOKEN_TRANSFER', type: ['Amount', '999'], ask: true, '#runs li:nth-child(1)': /Nothing moved\.\s+It says: failed/ })
  await told('recipient-swapped')
  await run({ example: 'TOKEN_TRANSFER', ask: true, h1: HEADLINE })
}
