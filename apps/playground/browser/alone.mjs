// The page without a gateway: static files, with the core in the page.

import assert from 'node:assert/strict'
import { walkFirst } from './first.mjs'
import { expectText, problemAt, type } from './person.mjs'
import { walkPocket } from './pocket.mjs'
import { walkShare } from './share.mjs'

const STRANGER = '0x57820589F31a9e4a34A0299Ea4aDe7c536139682'

export async function walkAlone(page, look) {
  // The files of the page are loaded, and there must be no further request, except for the icon.
  const requests = []
  page.on('request', (request) => request.url().endsWith('/icon.svg') || requests.push(request.url()))
  await walkFirst(page, look)

  await expectText(page.locator('#service-hint'), /Nothing leaves this page/)
  assert(await page.getByLabel('Access token').isHidden())
  await type(page, 'Recipient', STRANGER)
  await type(page, 'Fee cap (gwei)', '5')
  await expectText(page.locator('#reply-stale'), /has changed/)
  await page.getByRole('button', { name: 'Ask the service' }).click()
  await expectText(page.locator('h1'), /^NFT b0f6…4c18 goes to 0x5782…9682 on Polygon\sAmoy, for at most\s0\.0075\sof the chain's coin on eip155:1802466136\.$/)
  await expectText(page.locator('#verdict'), /^Verified/)
  assert.equal(await page.locator(':focus').getAttribute('id'), 'headline')

  // The cost of a transfer on Ethereum is paid on the EntryPoint's chain, and has its coin.
  await type(page, 'Fee cap (gwei)', '2.5')
  await type(page, 'Chain', 'eip155:1')
  await page.getByRole('button', { name: 'Ask the service' }).click()
  const ofEthereum = page.locator('h1').filter({ hasText: 'on Ethereum' })
  await expectText(ofEthereum, /on Ethereum, for at most\s0\.00375\sof the chain's coin on eip155:1802466136\.$/)
  await expectText(page.locator('#signable'), /Cost\s+At most 0\.00375\sof the chain's coin on eip155:1802466136 for gas\./)
  // Not "at most 0.00375 ETH".
  assert(!/ETH/.test(await page.locator('#answer').innerText()))
  await page.getByText('The deployment that a wallet pins').click()
  await type(page, "EntryPoint's chain", '137')
  await page.getByRole('button', { name: 'Ask the service' }).click()
  await expectText(ofEthereum, /on Ethereum, for at most\s0\.00375\sPOL\.$/)
  await expectText(page.locator('#signable'), /Cost\s+At most 0\.00375\sPOL for gas\./)
  await type(page, "EntryPoint's chain", '1802466136')
  await page.getByText('The deployment that a wallet pins').click()
  await type(page, 'Chain', 'eip155:80002')

  // A problem that only the service finds is shown at its field too.
  await type(page, 'Recipient', '0xb3950bBE24596c9e1097dC110701410257038293')
  await page.getByRole('button', { name: 'Ask the service' }).click()
  await expectText(page.locator('#summary'), /One field to correct\s+Recipient/)
  assert.equal(await problemAt(page, 'Recipient'), "This is the user's own wallet. Enter another one.")
  await type(page, 'Recipient', STRANGER)

  // The unit of the chain's own token is a coin.
  await page.getByLabel('Type of transfer').selectOption('TOKEN_TRANSFER')
  await page.getByRole('button', { name: 'Fill in an example' }).click()
  await type(page, 'Amount', '1.25')
  await expectText(page.locator('[id="details.amount-hint"]'), /^In POL: 1,250,000,000,000,000,000 wei\.$/)
  await page.getByRole('button', { name: 'Ask the service' }).click()
  await expectText(page.locator('h1'), /^1\.25 POL goes to 0xEc18…B831 on Polygon\sAmoy/)
  await look('16-alone-token')

  // The page keeps the limit too.
  const state = page.locator('#limit-state')
  await page.getByRole('button', { name: 'Send ten' }).click()
  await expectText(state, /^10 calls: 5 counted, 5 refused\.\s+Calls pass/)
  await look('17-alone-limit')
  assert.deepEqual(requests, [])
  await walkShare(page, look)
  await walkPocket(page, look)
}
