// A transfer is typed in, at first with mistakes. Replies are edited, and refused.

import assert from 'node:assert/strict'
import { expectText, problemAt, steps } from '../../../tests/browser/person.mjs'

const RECIPIENT = '0xEc186DB52Cb079380E9Ed11740859d5a45e1B831'
const FURTHER = 'Job, paymaster data, fee payer'

export async function walkForm(page, look) {
  const run = (...list) => steps(page, look, list)
  const focused = (name) => page.locator(`[name="${name}"]:focus`).waitFor()
  const text = page.getByLabel("The reply's text")
  const noneIsShown = async () => assert.equal(await page.locator('.field > .problem:visible').count(), 0)
  await run({ example: 'NFT_TRANSFER' })
  await noneIsShown()

  // A field shows its problem once it was visited; other fields show none. The problem disappears when it is solved. Submitting shows
  // all problems, and moves the focus to the first one, also if it is folded away.
  await run(
    { set: ['[name="details.nftId"]', ''], type: ['Recipient', '0x123', 'Enter a wallet address: 0x and 40 characters.'] },
    { type: ['Recipient', RECIPIENT.toLowerCase()] },
    { type: ['Recipient', RECIPIENT.replace('E', 'e'), 'Check this address: at least one character is wrong.'] },
    { type: ['Recipient', RECIPIENT], unfold: FURTHER },
    { type: ['Job', 'none', /^Enter an id such as /] },
  )
  await page.getByText(FURTHER).click()
  await run({ ask: true })
  await focused('details.nftId')
  assert.equal(await problemAt(page, 'NFT'), 'Enter the number or the id of the NFT.')
  await run({ look: '2-problems', type: ['NFT', '56'], ask: true })
  await focused('jobId')
  assert.match(await problemAt(page, 'Job'), /^Enter an id such as /)

  // A number of gwei with digits below one wei is refused. The deployment and transactions are documents, with the core's problems.
  const pinned = await page.getByLabel('Deployment', { exact: true }).inputValue()
  await run(
    { press: 'New job', type: ['Amount', '2', 'Enter 1: this NFT is a single piece.'] },
    { type: ['Amount', '1.5', 'Enter fewer digits after the point.'] },
    { type: ['Amount', '1'] },
    { type: ['Tip (gwei)', '1.0000000001', 'Enter a number of gwei, such as 2.5.'] },
    { type: ['Tip (gwei)', '3', 'Enter a tip that is not above the cap.'] },
    { type: ['Tip (gwei)', '0'] },
    { type: ['Tip (gwei)', '1.5'], unfold: 'The deployment that a wallet pins' },
    { type: ['Deployment', pinned.replace(/"chainId": \d+/, '"chainId": 0'), /^where\.chainId: expected /], look: '3-deployment' },
    { type: ['Deployment', pinned], example: 'RAW_TRANSACTION' },
    { type: ['Transactions, as JSON', '[]', /^details\.transactions: expected an array of 1 to 1000 transactions/] },
    { example: 'NFT_TRANSFER', fill: ['Recipient', RECIPIENT] },
  )
  await noneIsShown()
  await run({ '#reply-stale': /has changed/, ask: true, h1: /goes to 0xEc18…B831/, '#verdict': /^Verified/, focus: '#headline', unfold: 'Edit the reply yourself' })

  // A change by hand is refused too, and put back.
  const original = await text.inputValue()
  await text.fill(original.replace(`"amount": "1"`, `"amount": "9"`))
  await run({ '#verdict': /^Refused\. Amount is not what you asked for\. There is nothing to sign\.$/ })
  await text.fill(original.slice(0, -1))
  await expectText(page.locator('#verdict'), /^Refused\. Reply: expected JSON/)
  await run({ look: '4-torn', press: 'Put it back', '#verdict': /^Verified/ })
  assert.equal(await text.inputValue(), original)
}
