// The page without a gateway: from static files, with the core in it.

import assert from 'node:assert/strict'
import { walkFirst } from './first.mjs'
import { expectText, problemAt, type } from './person.mjs'

const STRANGER = '0x57820589F31a9e4a34A0299Ea4aDe7c536139682'

export async function walkAlone(page, look) {
  // The files of the page are loaded by now, and nothing else is asked for. The icon is the browser's own matter.
  const requests = []
  page.on('request', (request) => request.url().endsWith('/icon.svg') || requests.push(request.url()))
  await walkFirst(page, look)

  await expectText(page.locator('#service-hint'), /Nothing leaves this page/)
  assert(await page.getByLabel('Access token').isHidden())
  await type(page, 'Recipient', STRANGER)
  await type(page, 'Fee cap, in gwei', '5')
  await expectText(page.locator('#reply-stale'), /has changed/)
  await page.getByRole('button', { name: 'Ask the service' }).click()
  await expectText(page.locator('h1'), /^1 NFT goes to 0x5782…9682 on Polygon\sAmoy, at most\s0\.0075\sPOL\.$/)
  await expectText(page.locator('#verdict'), /^Verified/)
  assert.equal(await page.locator(':focus').getAttribute('id'), 'headline')

  // What only the service knows is told at the field as well.
  await type(page, 'Recipient', '0xb3950bBE24596c9e1097dC110701410257038293')
  await page.getByRole('button', { name: 'Ask the service' }).click()
  await expectText(page.locator('#summary'), /One field to correct\s+Recipient/)
  assert.equal(await problemAt(page, 'Recipient'), "This is the user's own wallet. Enter another one.")
  await type(page, 'Recipient', STRANGER)

  // An amount of the chain's own coin is in coins.
  await page.getByLabel('What is to happen').selectOption('TOKEN_TRANSFER')
  await page.getByRole('button', { name: 'Fill in an example' }).click()
  await type(page, 'Amount', '1.25')
  await expectText(page.locator('[id="details.amount-hint"]'), /^In POL: 1,250,000,000,000,000,000 wei\.$/)
  await page.getByRole('button', { name: 'Ask the service' }).click()
  await expectText(page.locator('h1'), /^1\.25 POL goes to 0xEc18…B831 on Polygon\sAmoy/)
  await look('16-alone-token')

  // The limit is there too.
  const state = page.locator('#limit-state')
  await page.getByRole('button', { name: 'Send ten' }).click()
  await expectText(state, /^10 calls: 5 counted, 5 refused\.\s+Calls pass/)
  await look('17-alone-limit')
  assert.deepEqual(requests, [])
}
