// The first view: three transfers with the pocket service, each to its end, and the reply that they are about.

import assert from 'node:assert/strict'
import { comparisonCode, signable } from 'sendoff'
import { Sandbox } from 'sendoff/sandbox'
import { ask, example, expectText, type, unfold } from './person.mjs'

const HEADLINE = /^25\sUSDC goes to 0x88be…3eF2 on Polygon, for at most 0\.00375\sPOL\.$/
const [RECIPIENT, STRANGER] = [/0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2/i, /0x5afe0000000000000000000000000000000bad00/i]

export async function walkStory(page, look) {
  const [headline, verdict, comparison] = ['h1', '#verdict', '#comparison'].map((place) => page.locator(place))
  const cards = page.locator('#runs li')
  const swap = page.locator('#swap')
  /** What each card is about, and whether it is right. */
  const told = async (patterns) => {
    for (const [at, [look, pattern]] of patterns.entries()) {
      await expectText(cards.nth(at), pattern)
      assert.equal(await cards.nth(at).getAttribute('class'), look)
    }
  }
  const lie = async (name) => {
    await page.getByLabel('Its lie').selectOption(name)
    // The button is there again when the three transfers have ended.
    await page.getByRole('button', { name: 'Ask the service' }).click({ trial: true })
  }
  const refuses = ['passed', /The service lies\.\s+Nothing moved\.\s+It refuses\./]

  // Without the kit the same client pays whom the service says; with it, it names the recipient.
  await expectText(headline, HEADLINE)
  const amount = await headline.evaluate((element) => {
    const range = document.createRange()
    const text = element.lastChild
    const at = text.data.indexOf('0.00375')
    range.setStart(text, at)
    range.setEnd(text, at + '0.00375 POL'.length)
    return range.getClientRects().length
  })
  assert.equal(amount, 1, 'the amount is not broken')
  await told([
    ['passed', /signs what comes back\s+The service is honest\.\s+25\sUSDC went to 0x88be…3ef2\.\s+It says: succeeded, for at most 0\.00375\sPOL\./],
    ['failed', /The service lies\.\s+25\sUSDC went to a stranger, 0x5afe…ad00\.\s+It says: succeeded/],
    ['passed', /with signable\s+The service lies\.\s+Nothing moved\.\s+It refuses\. Recipient: expected 0x88be…3eF2, found 0x5afe…ad00\./],
  ])
  await expectText(verdict, /^Verified\. What moves, .* are as you asked\. Nothing is left to the server\.$/)
  const offered = await page.locator('#lie option').evaluateAll((options) => options.map(({ value }) => value))
  assert.deepEqual(offered, Sandbox.lies().filter(({ on }) => on === 'estimate').map(({ name }) => name))
  await look('0-first')

  // One button shows the lie and puts the reply back, by the keyboard too. The headline stays true.
  const hash = await page.locator('#hash').innerText()
  await page.getByLabel('Its lie').focus()
  await page.keyboard.press('Tab')
  assert.equal(await page.locator(':focus').getAttribute('id'), 'swap')
  await page.keyboard.press('Enter')
  await expectText(verdict, /^Refused\. Recipient is not what you asked for\. There is nothing to sign\.$/)
  assert.match(await comparison.locator('.asked').first().innerText(), RECIPIENT)
  assert.match(await comparison.locator('.found').first().innerText(), STRANGER)
  const [asked, found] = await Promise.all(['.asked', '.found'].map((side) => comparison.locator(side).first().boundingBox()))
  assert(Math.abs(asked.y - found.y) < 1 && asked.x + asked.width <= found.x, 'asked and found are side by side')
  await expectText(comparison, /Your wallet signs\s+Nothing/)
  assert.equal(await page.locator('#hash, .digits').count(), 0)
  assert.equal(await swap.innerText(), 'Put it back')
  assert.match(await headline.innerText(), HEADLINE)
  await look('0-lie')
  await swap.click()
  await expectText(verdict, /^Verified/)
  assert.equal(await page.locator('#hash').innerText(), hash)
  assert.equal(await swap.innerText(), 'Show the lie')

  // What the deployment does not bind is said beside the verdict.
  await unfold(page, 'The deployment that a wallet pins')
  const own = page.getByLabel('Deployment', { exact: true })
  const pinned = await own.inputValue()
  const { expect, ...where } = JSON.parse(pinned)
  await own.fill(JSON.stringify(where))
  await expectText(verdict, /^Verified\. .* Left to the server: sender, policies, gsn, callGasLimit, .*\.$/)
  await own.fill(JSON.stringify({ ...where, expect, signs: 'raw' }))
  assert.equal(await page.locator('#digest').innerText(), hash)
  // On another chain the reply is refused, and its cost is not in that chain's coin.
  await page.getByLabel('Fill in a public deployment').selectOption('sandbox')
  assert.equal(JSON.parse(await own.inputValue()).chainId, 1802466136)
  assert.doesNotMatch(await headline.innerText(), /POL/)
  await own.fill(pinned)
  await expectText(headline, HEADLINE)

  // Another runtime computes the same hash and digits from what the page copies.
  assert.equal(await page.locator('.digits').count(), 0)
  await page.getByLabel('Number from the second device').fill('12 345 678')
  const code = await page.locator('.digits').innerText()
  assert.equal(code.trim().split(/\s+/).join(' '), comparisonCode(hash, '12345678'))
  await page.getByRole('button', { name: 'Copy request and reply' }).click()
  await expectText(page.locator('#copied'), /^Copied/)
  const { request, reply } = JSON.parse(await page.evaluate('navigator.clipboard.readText()'))
  assert.equal(signable(request, reply, pinned).hash, hash)

  // Other lies: what is moved, what is approved, what it costs, and what is only said.
  await lie('amount-raised')
  await told([['passed', /25\sUSDC/], ['failed', /[1-9][\d,]{2,}\sUSDC went to 0x88be/], refuses])
  await lie('approval-instead')
  await told([['passed', /25\sUSDC/], ['failed', /All USDC may be taken by a stranger, 0x5afe/], refuses])
  await lie('gas-raised')
  await told([['passed', /0\.00375\sPOL/], ['failed', /25\sUSDC went to 0x88be…3ef2\.\s+It says: succeeded, for at most 0\.1\d+\sPOL/], refuses])
  await lie('fee-in-dollars')
  await told([['passed', /./], ['passed', /25\sUSDC went to 0x88be/], ['passed', /25\sUSDC went to 0x88be/]])
  await lie('transaction-added')
  await expectText(cards.nth(1), /This lie is for another transfer/)

  // An NFT and a batch of what the user has; lies about them.
  await example(page, 'NFT_TRANSFER')
  await ask(page)
  await expectText(headline, /^NFT 56 goes to 0x88be…3eF2 on Polygon, for at most/)
  await lie('recipient-in-the-bytes')
  await told([['passed', /NFT 56 of .* went to 0x88be/], ['failed', /NFT 56 of .* went to a stranger/], refuses])
  await example(page, 'RAW_TRANSACTION')
  await ask(page)
  await expectText(headline, /^2 transactions run on Polygon, for at most/)
  await expectText(page.locator('#moves'), /^0\.01 POL [^]*25 USDC/)
  await lie('transaction-added')
  await told([['passed', /0\.01\sPOL went to .*25\sUSDC went to/], ['failed', /went to a stranger/], refuses])
  await look('1-batch')

  // More than there is fails on its chain, and nothing is said to be done.
  await example(page, 'TOKEN_TRANSFER')
  await type(page, 'Amount', '999')
  await ask(page)
  await expectText(cards.first(), /Nothing moved\.\s+It says: failed/)
  await lie('recipient-swapped')
  await example(page, 'TOKEN_TRANSFER')
  await ask(page)
  await expectText(headline, HEADLINE)
}

/** No lie about an estimate deceives the client with `signable`, whatever is transferred; some deceive the one without. */
export async function walkLies(page) {
  const [lies, send] = [page.getByLabel('Its lie'), page.getByRole('button', { name: 'Ask the service' })]
  for (const type of ['TOKEN_TRANSFER', 'NFT_TRANSFER', 'RAW_TRANSACTION']) {
    await example(page, type)
    await ask(page)
    let deceived = 0
    for (const name of await lies.locator('option').evaluateAll((options) => options.map(({ value }) => value))) {
      await lies.selectOption(name)
      await send.click({ trial: true })
      const [honest, without, withIt] = await page.locator('#runs li').evaluateAll((cards) => cards.map(({ className }) => className))
      assert.deepEqual([honest, withIt], ['passed', 'passed'], `${name}, ${type}`)
      deceived += without === 'failed' ? 1 : 0
    }
    assert(deceived > 5, `${deceived} lies about ${type} deceive a client without it`)
  }
}
