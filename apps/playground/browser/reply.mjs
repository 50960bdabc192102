// The reply is verified, and refused after a change.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { backend, signable } from 'sendoff'
import { RULES, states } from './first.mjs'
import { expectText, problemAt, send, type } from './person.mjs'

const DEPLOYMENT = new URL('../../../tests/demo/deployment.json', import.meta.url)
const deployment = readFileSync(DEPLOYMENT, 'utf8')

export async function walkReply(page, look) {
  const verdict = page.locator('#verdict')
  const { request, reply } = await send(page)
  await expectText(verdict, /^Verified/)
  assert.equal(await page.locator(':focus').getAttribute('id'), 'headline')

  // Another runtime computes the same hash from the same documents.
  const { hash, digest, account } = signable(request, reply, deployment)
  assert.equal(backend(), 'native')
  assert.equal(await page.locator('#hash').innerText(), hash)
  assert.equal(await page.locator('#digest').innerText(), digest)
  assert.deepEqual(await states(page, 'passed'), RULES)
  const [{ from, to, collection, nftId }] = account.call.moves
  const words = page.locator('#words')
  for (const word of ['NFT', from, to, collection, nftId, account.call.chain, 'Nobody pays']) {
    assert((await words.innerText()).includes(word), `the words tell ${word}`)
  }
  await look('4-verified')

  // The changed value is shown beside the requested one.
  await page.getByRole('button', { name: 'Swap the recipient', exact: true }).click()
  await expectText(words, /0x000000000000000000000000000000000000dEaD\s+You asked for: 0xEc186DB5/)
  await look('5-refused')
  await page.getByRole('button', { name: 'Put it back' }).click()
  await expectText(verdict, /^Verified/)

  // A change by hand is refused too. Rules that cannot judge the text are skipped.
  await page.getByText('Edit the reply yourself').click()
  const text = page.getByLabel("The reply's text")
  const original = await text.inputValue()
  await text.fill(original.replace(`"amount": "1"`, `"amount": "9"`))
  await expectText(verdict, /^Refused\. The reply repeats other details than yours\./)
  await expectText(page.locator('#altered'), /data\.callData\.payload\.amount/)
  await text.fill(original.slice(0, -1))
  await expectText(verdict, /^Refused\. A part of the reply is missing or cannot be read\./)
  assert.deepEqual(await states(page, 'passed'), [])
  assert.equal((await states(page, 'skipped')).length, 13)
  await look('6-torn')
  await page.getByRole('button', { name: 'Put it back' }).click()
  await expectText(verdict, /^Verified/)
  assert.equal(await page.locator('#hash').innerText(), hash)

  // A problem that only the gateway finds is shown at its field too.
  await type(page, 'Recipient', from)
  await expectText(page.locator('#reply-stale'), /has changed/)
  await send(page)
  await expectText(page.locator('#reply-trouble'), /^The service refuses this request\. The form shows what to correct\.[^]*Trace/)
  await expectText(page.locator('#summary'), /One field to correct\s+Recipient/)
  assert.match(await problemAt(page, 'Recipient'), /own wallet/)
  await look('7-refused-request')

  // The other intents work in the same way.
  const patterns = {
    TOKEN_TRANSFER: /0\.01 POL, the chain's own coin/,
    RAW_TRANSACTION: /4 bytes of data and 0 POL[^]*setApprovalForAll\(address,bool\) with operator 0xEc186DB5\w+, approved true, 0 POL/,
  }
  for (const [type, pattern] of Object.entries(patterns)) {
    await page.getByLabel('Type of transfer').selectOption(type)
    await page.getByRole('button', { name: 'Fill in an example' }).click()
    await page.getByRole('button', { name: 'New job' }).click()
    const { request, reply } = await send(page)
    await expectText(verdict, /^Verified/)
    await expectText(words, pattern)
    assert.equal(await page.locator('#hash').innerText(), signable(request, reply, deployment).hash)
  }
  await look('8-raw-transaction')
  await page.getByRole('button', { name: 'Change the signed amount' }).click()
  await expectText(verdict, /^Refused\. The bytes to sign name another amount\./)
}
