// The gateway answers: its reply is verified, and its failures are explained in words.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { signable } from 'sendoff'
import { walkWindow } from './limit.mjs'
import { example, expectText, problemAt, send, steps, type } from '../../../tests/browser/person.mjs'

const deployment = readFileSync(new URL('../../../tests/demo/deployment.json', import.meta.url), 'utf8')
const ESTIMATE = '**/api/oc/v1/estimate'
const [WALLET, PERSON, CONTRACT] = ['0xb3950bBE24596c9e1097dC110701410257038293', '0xEc186DB52Cb079380E9Ed11740859d5a45e1B831', '0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90']

export async function walkGateway(page, look) {
  const run = (...list) => steps(page, look, list)
  await expectText(page.locator('#token-state'), /^Accepted, for Polygon Amoy\.$/)
  await send(page)
  // The EntryPoint's chain has no coin that the page knows, and the coin of the transfer's chain is another one.
  await run({
    '#verdict': /^Verified\. .* Left to the server: sender, /,
    h1: /^NFT b0f6…4c18 goes to 0xEc18…B831 on Polygon\sAmoy, for at most 0\.00375\sof the coin of eip155:1802466136\.$/,
    hidden: '#runs',
  })
  await look('7-gateway')
  await walkWindow(page)

  // A problem that only the gateway finds is shown at its field too.
  const recipient = await page.getByLabel('Recipient').inputValue()
  await type(page, 'Recipient', WALLET)
  await send(page)
  await expectText(page.locator('#trouble'), /^Correct the fields that are marked\. \(400, ER-TECH-\d+, trace \S+\.\)$/)
  assert.equal(await problemAt(page, 'Recipient'), "This is the user's own wallet. Enter another one.")
  await look('8-refused-request')
  await type(page, 'Recipient', recipient)

  // A service that is not there, a page in its place, and a reply that is wrong as it came: it has no cost that the headline may tell.
  const wrong = async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('NFT_TRANSFER', 'TOKEN_TRANSFER') })
  }
  for (const [answer, expected] of [
    [(route) => route.abort(), { '#trouble': /^The gateway cannot be reached/ }],
    [(route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }), { '#trouble': /not a reply of the service: HTTP 502, text\/html/ }],
    [wrong, { '#verdict': /^Refused\. Intent: expected NFT_TRANSFER \(request\), found TOKEN_TRANSFER\./, h1: /^(?![^]*at most)/ }],
  ]) {
    await page.route(ESTIMATE, answer)
    await run({ ask: true, ...expected })
    await page.unroute(ESTIMATE)
  }

  await type(page, 'Access token', 'nobody')
  await run({ '#token-state': /^Sign in again\. \(401/, ask: true, '#trouble': /^Sign in again\. \(401, .*, trace \S+\.\)$/, look: '9-unauthorized' })
}

/** A coin, a call that nobody knows, and `setApprovalForAll(person, true)`. */
const TRANSACTIONS = [
  { from: WALLET, to: PERSON, data: '0x', value: '0x2386f26fc10000' },
  { from: WALLET, to: CONTRACT, data: '0x1249c58b', value: '0x0' },
  { from: WALLET, to: CONTRACT, data: `0xa22cb465${PERSON.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`, value: '0x0' },
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
