// A transfer is typed in, at first with mistakes. Replies are edited, and refused.

import assert from 'node:assert/strict'
import { ask, example, expectText, problemAt, type, unfold } from './person.mjs'

const RECIPIENT = '0xEc186DB52Cb079380E9Ed11740859d5a45e1B831'

export async function walkForm(page, look) {
  const verdict = page.locator('#verdict')
  const shown = () => page.locator('.field > .problem:visible').count()
  await example(page, 'NFT_TRANSFER')
  assert.equal(await shown(), 0)

  // A field shows its problem once it was visited; other fields show none. The problem disappears when it is solved.
  await page.locator('[name="details.nftId"]').fill('')
  await type(page, 'Recipient', '0x123')
  assert.equal(await problemAt(page, 'Recipient'), 'Enter a wallet address: 0x and 40 characters.')
  await type(page, 'Recipient', RECIPIENT.toLowerCase())
  assert.equal(await problemAt(page, 'Recipient'), undefined)
  await type(page, 'Recipient', RECIPIENT.replace('E', 'e'))
  assert.equal(await problemAt(page, 'Recipient'), 'Check this address: at least one character is wrong.')

  // Submitting shows all problems, and moves the focus to the first one, also if it is folded away.
  await type(page, 'Recipient', RECIPIENT)
  await unfold(page, 'Job, paymaster data, fee payer')
  await type(page, 'Job', 'none')
  await page.getByText('Job, paymaster data, fee payer').click()
  await ask(page)
  assert.equal(await page.locator(':focus').getAttribute('name'), 'details.nftId')
  assert.equal(await problemAt(page, 'NFT'), 'Enter the number or the id of the NFT.')
  await look('2-problems')
  await type(page, 'NFT', '56')
  await ask(page)
  assert.equal(await page.locator(':focus').getAttribute('name'), 'jobId')
  assert.match(await problemAt(page, 'Job'), /^Enter an id such as /)
  await page.getByRole('button', { name: 'New job' }).click()

  await type(page, 'Amount', '2')
  assert.equal(await problemAt(page, 'Amount'), 'Enter 1: this NFT is a single piece.')
  await type(page, 'Amount', '1.5')
  assert.equal(await problemAt(page, 'Amount'), 'Enter fewer digits after the point.')
  await type(page, 'Amount', '1')
  // A number of gwei with digits below one wei is refused.
  await type(page, 'Tip (gwei)', '1.0000000001')
  assert.equal(await problemAt(page, 'Tip (gwei)'), 'Enter a number of gwei, such as 2.5.')
  await type(page, 'Tip (gwei)', '3')
  assert.equal(await problemAt(page, 'Tip (gwei)'), 'Enter a tip that is not above the cap.')
  await type(page, 'Tip (gwei)', '0')
  assert.equal(await problemAt(page, 'Tip (gwei)'), undefined)
  await type(page, 'Tip (gwei)', '1.5')

  // The deployment and transactions are documents, with the core's problems.
  await unfold(page, 'The deployment that a wallet pins')
  const pinned = await page.getByLabel('Deployment', { exact: true }).inputValue()
  await type(page, 'Deployment', pinned.replace(/"chainId": \d+/, '"chainId": 0'))
  assert.match(await problemAt(page, 'Deployment'), /^where\.chainId: expected /)
  await look('3-deployment')
  await type(page, 'Deployment', pinned)
  await example(page, 'RAW_TRANSACTION')
  await type(page, 'Transactions, as JSON', '[]')
  assert.match(await problemAt(page, 'Transactions, as JSON'), /^details\.transactions: expected an array of 1 to 1000 transactions/)
  await example(page, 'NFT_TRANSFER')
  await page.getByLabel('Recipient').fill(RECIPIENT)
  assert.equal(await shown(), 0)
  await expectText(page.locator('#reply-stale'), /has changed/)
  await ask(page)
  await expectText(page.locator('h1'), /goes to 0xEc18…B831/)
  await expectText(verdict, /^Verified/)
  assert.equal(await page.locator(':focus').getAttribute('id'), 'headline')

  // A change by hand is refused too, and put back.
  await unfold(page, 'Edit the reply yourself')
  const text = page.getByLabel("The reply's text")
  const original = await text.inputValue()
  await text.fill(original.replace(`"amount": "1"`, `"amount": "9"`))
  await expectText(verdict, /^Refused\. Amount is not what you asked for\. There is nothing to sign\.$/)
  await text.fill(original.slice(0, -1))
  await expectText(verdict, /^Refused\. Reply: expected JSON/)
  await look('4-torn')
  await page.getByRole('button', { name: 'Put it back' }).click()
  await expectText(verdict, /^Verified/)
  assert.equal(await text.inputValue(), original)
}
