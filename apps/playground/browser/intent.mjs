// An NFT transfer is typed in, at first with mistakes.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { expectText, problemAt, type } from './person.mjs'

const DEMO = new URL('../../../tests/demo/request.json', import.meta.url)
const { details, paymasterData } = JSON.parse(readFileSync(DEMO, 'utf8'))

export async function walkIntent(page, look) {
  await expectText(page.locator('#token-state'), /Accepted, with /)
  await page.getByText('Job, paymaster data, fee payer').click()
  await page.getByRole('button', { name: 'Clear' }).click()
  assert.equal(await page.locator('.problem').count(), 0)
  await look('1-empty')

  // A field shows its problem once it was visited; other fields show none.
  await type(page, 'Recipient', '0x123')
  assert.match(await problemAt(page, 'Recipient'), /^Enter a wallet address: 0x and 40 characters\.$/)
  assert.equal(await page.locator('.problem').count(), 1)
  // The problem disappears when it is solved, and can return.
  await type(page, 'Recipient', details.recipientWalletAddress.toLowerCase())
  assert.equal(await problemAt(page, 'Recipient'), undefined)
  await type(page, 'Recipient', details.recipientWalletAddress.replace('E', 'e'))
  assert.match(await problemAt(page, 'Recipient'), /^Check this address: at least one character is wrong\.$/)

  // Submitting shows all problems, and moves the focus to their list.
  await page.getByRole('button', { name: 'Ask the service' }).click()
  const summary = page.locator('#summary')
  await expectText(summary, /\d+ fields to correct/)
  assert(await summary.evaluate((element) => element === document.activeElement), 'the list of problems has the focus')
  assert.equal(await page.locator('.problem').count(), await summary.getByRole('listitem').count())
  // Each problem is at most two lines long, and the list only names the fields.
  for (const text of await page.locator('.problem').allInnerTexts()) assert(text.length < 60, text)
  for (const text of await summary.getByRole('listitem').allInnerTexts()) assert(text.length < 40, text)
  for (const link of await summary.getByRole('link').all()) {
    await page.keyboard.press('Tab')
    assert(await link.evaluate((element) => element === document.activeElement), 'the keyboard reaches each problem')
  }
  await look('2-problems')
  await summary.getByRole('link', { name: 'NFT', exact: true }).click()
  assert.equal(await page.locator(':focus').getAttribute('name'), 'details.nftId')

  // A problem without a field is in the list only: the transactions were removed.
  await page.getByLabel('Type of transfer').selectOption('RAW_TRANSACTION')
  await page.getByRole('button', { name: 'Remove transaction 1' }).click()
  await expectText(summary, /details\.transactions: expected an array of 1 to 1000 transactions/)
  await page.getByLabel('Type of transfer').selectOption('NFT_TRANSFER')

  await type(page, 'Chain', details.caip2Id)
  await type(page, 'Collection', details.collectionAddress)
  await type(page, 'NFT', details.nftId)
  await type(page, 'Standard', details.nftType)
  await type(page, 'Recipient', details.recipientWalletAddress)
  await type(page, 'Amount', '2')
  assert.match(await problemAt(page, 'Amount'), /^Enter 1: this NFT is a single piece\.$/)
  await type(page, 'Amount', details.amount)
  await type(page, 'Fee cap (gwei)', '2.5')
  await type(page, 'Tip (gwei)', '1.5')
  await type(page, 'Paymaster data', paymasterData)
  // A number of gwei with digits below one wei is refused.
  await type(page, 'Tip (gwei)', '1.0000000001')
  assert.match(await problemAt(page, 'Tip (gwei)'), /^Enter a number of gwei, such as 2\.5\.$/)
  await type(page, 'Tip (gwei)', '3')
  assert.match(await problemAt(page, 'Tip (gwei)'), /^Enter a tip that is not above the cap\.$/)
  await type(page, 'Tip (gwei)', '1.5')
  await expectText(page.locator('[id="gasDetails.maxFeePerGas-hint"]'), /2,500,000,000 wei/)
  assert.equal(await page.locator('.problem').count(), 0)
  assert(await summary.isHidden(), 'no problem is left')

  // The deployment is checked too, even if it is collapsed.
  await page.getByText('The deployment that a wallet pins').click()
  await type(page, "EntryPoint's chain", '0')
  assert.match(await problemAt(page, "EntryPoint's chain"), /^Enter a whole number above zero\.$/)
  await look('3-deployment')
  await type(page, "EntryPoint's chain", '1802466136')
  await page.getByText('The deployment that a wallet pins').click()
}
