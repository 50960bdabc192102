// The gateway answers: its reply is verified, a lie about it is refused, and its failures are explained in words.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { backend, signable } from 'sendoff'
import { walkWindow } from './limit.mjs'
import { ask, example, expectText, problemAt, send, type } from './person.mjs'

const deployment = readFileSync(new URL('../../../tests/demo/deployment.json', import.meta.url), 'utf8')
const ESTIMATE = '**/api/oc/v1/estimate'

export async function walkGateway(page, look) {
  const verdict = page.locator('#verdict')
  const trouble = page.locator('#trouble')
  await expectText(page.locator('#token-state'), /^Accepted, for Polygon Amoy\.$/)
  const { request, reply } = await send(page)
  await expectText(verdict, /^Verified\. .* Left to the server: sender, /)
  // The EntryPoint's chain has no coin that the page knows, and the coin of the transfer's chain is another one.
  await expectText(page.locator('h1'), /^NFT b0f6…4c18 goes to 0xEc18…B831 on Polygon\sAmoy, for at most 0\.00375\sof the coin of eip155:1802466136\.$/)
  assert(await page.locator('#runs').isHidden())

  // Another runtime computes the same hash from the same documents.
  const { hash, digest, account } = signable(request, reply, deployment)
  assert.equal(backend(), 'native')
  assert.equal(await page.locator('#hash').innerText(), hash)
  assert.equal(await page.locator('#digest').innerText(), digest)
  const [{ to, collection, nftId }] = account.call.moves
  for (const word of [to, collection, nftId]) assert((await page.locator('#words').innerText()).includes(word))
  await look('7-gateway')
  await walkWindow(page)
  await page.getByRole('button', { name: 'Show the lie' }).click()
  await expectText(verdict, /^Refused\. Recipient is not what you asked for\. There is nothing to sign\.$/)
  await page.getByRole('button', { name: 'Put it back' }).click()
  await expectText(verdict, /^Verified/)

  // A problem that only the gateway finds is shown at its field too.
  const recipient = await page.getByLabel('Recipient').inputValue()
  await type(page, 'Recipient', '0xb3950bBE24596c9e1097dC110701410257038293')
  await send(page)
  await expectText(trouble, /^Correct the fields that are marked\. \(400, ER-TECH-\d+, trace \S+\.\)$/)
  assert.equal(await problemAt(page, 'Recipient'), "This is the user's own wallet. Enter another one.")
  await look('8-refused-request')
  await type(page, 'Recipient', recipient)

  await page.route(ESTIMATE, (route) => route.abort())
  await ask(page)
  await expectText(trouble, /^The gateway cannot be reached/)
  await page.unroute(ESTIMATE)
  await page.route(ESTIMATE, (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }))
  await ask(page)
  await expectText(trouble, /not a reply of the service: HTTP 502, text\/html/)
  await page.unroute(ESTIMATE)

  // A reply that is wrong as it came has no cost that the headline may tell.
  await page.route(ESTIMATE, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('NFT_TRANSFER', 'TOKEN_TRANSFER') })
  })
  await ask(page)
  await expectText(verdict, /^Refused\. Intent: expected NFT_TRANSFER \(request\), found TOKEN_TRANSFER\./)
  assert.doesNotMatch(await page.locator('h1').innerText(), /at most/)
  await page.unroute(ESTIMATE)

  await type(page, 'Access token', 'nobody')
  await expectText(page.locator('#token-state'), /^Sign in again\. \(401/)
  await ask(page)
  await expectText(trouble, /^Sign in again\. \(401, .*, trace \S+\.\)$/)
  await look('9-unauthorized')
}

const [WALLET, PERSON, CONTRACT] = ['0xb3950bBE24596c9e1097dC110701410257038293', '0xEc186DB52Cb079380E9Ed11740859d5a45e1B831', '0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90']
const from = WALLET
/** A coin, a call that nobody knows, and `setApprovalForAll(person, true)`. */
const TRANSACTIONS = [
  { from, to: PERSON, data: '0x', value: '0x2386f26fc10000' },
  { from, to: CONTRACT, data: '0x1249c58b', value: '0x0' },
  { from, to: CONTRACT, data: `0xa22cb465${PERSON.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`, value: '0x0' },
]

/** The documents of a verified transfer that the gateway answers. */
export async function transfer(page, type) {
  await example(page, type)
  if (type === 'RAW_TRANSACTION') {
    await page.getByLabel('Chain').fill('eip155:80002')
    await page.getByLabel('Transactions, as JSON').fill(JSON.stringify(TRANSACTIONS))
  }
  const { request, reply } = await send(page)
  await expectText(page.locator('#verdict'), /^Verified/)
  return signable(request, reply, deployment)
}
