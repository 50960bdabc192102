// The second device verifies the same documents independently, shows what the wallet must show and the same digits or none, and
// checks the signature.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { comparisonCode, describeCall, signable } from 'sendoff'
import { checkSignature } from 'sendoff/signature'
import { transfer } from './gateway.mjs'
import { expectText } from './person.mjs'

const DEPLOYMENT = new URL('../../../tests/demo/deployment.json', import.meta.url)
const deployment = readFileSync(DEPLOYMENT, 'utf8')
const RECIPIENT = '0xEc186DB52Cb079380E9Ed11740859d5a45e1B831'
const STRANGER = '0x000000000000000000000000000000000000dEaD'

export async function walkSecond(first, page, look) {
  const verdict = page.locator('#verdict')
  const result = page.locator('#result')
  const digits = (page) => page.locator('.digits')

  // The page is loaded, and there must be no further request, except for the icon.
  const requests = []
  page.on('request', (request) => request.url().endsWith('/icon.svg') || requests.push(request.url()))
  await expectText(page.locator('#waiting'), /Paste\s+the request and the reply/)
  assert(await verdict.isHidden())
  await look('12-second-empty')

  /** Pastes the text that the first page copies into the second page. */
  const handOver = async () => {
    await first.bringToFront()
    await first.getByRole('button', { name: 'Copy request and reply' }).click()
    await expectText(first.locator('#copied'), /^Copied/)
    await page.bringToFront()
    await page.getByLabel('Request').focus()
    await page.keyboard.press('ControlOrMeta+V')
    await page.locator('#compare-heading:focus').waitFor()
  }
  const challenge = async () => (await page.locator('#challenge').innerText()).replaceAll(' ', '')
  const bothShow = async (hash) => {
    await expectText(verdict, /^Verified/)
    const number = await challenge()
    assert.match(number, /^\d{12}$/)
    await first.getByLabel('Number from the second device').fill(await page.locator('#challenge').innerText())
    const code = comparisonCode(hash, number)
    for (const device of [first, page]) {
      const shown = await digits(device).innerText()
      assert.equal(shown.trim().split(/\s+/).join(' '), code)
    }
  }

  // Both devices show the digits that another runtime computes from the same documents, and this one the 32 bytes that a wallet shows.
  const { hash, digest, digests, operation } = await transfer(first, 'NFT_TRANSFER')
  await handOver()
  await bothShow(hash)
  await expectText(result, new RegExp(`Message\\s+${hash}\\s+Call data\\s+${digests.callData}`))
  const [number] = [await challenge()]
  const [sentence] = described(operation)
  assert.equal(await page.locator('.sentences').innerText(), sentence)
  assert(sentence.includes(RECIPIENT) && sentence.includes('Polygon Amoy (eip155:80002)'))
  assert.equal(await result.getByText('Look twice').count(), 0)
  // This device's expectations bind everything; the first device's deployment has none.
  await expectText(verdict, /Nothing is left to the server\.$/)
  await expectText(first.locator('#verdict'), /Left to the server: sender, policies, gsn, callGasLimit, /)
  await look('13-second-verified')

  // The deployment is the second device's own: with another one its digits differ.
  const own = page.getByLabel('Deployment')
  const pinned = await own.inputValue()
  await own.fill(pinned.replace('"version": "0.7"', '"version": "0.8"'))
  await expectText(result, /Look twice\s+.*signs/)
  assert.notEqual(await digits(page).innerText(), await digits(first).innerText())
  // The number belongs to the operation: nobody knows it before this device has the operation.
  assert.notEqual(await challenge(), number)
  const typed = JSON.stringify({ ...JSON.parse(pinned), version: '0.8', signs: 'typedData' })
  await own.fill(typed)
  const [request, reply] = await Promise.all(['Request', 'Reply'].map((label) => page.getByLabel(label).inputValue()))
  const { eip712 } = signable(request, reply, typed).digests
  await expectText(result, new RegExp(`Digest\\s+${eip712.digest}\\s+Domain hash\\s+${eip712.domain}\\s+Message hash\\s+${eip712.message}`))
  await own.fill(pinned.replace(/"entryPoint": "0x..../, '"entryPoint": "'))
  await expectText(result, /EntryPoint/)
  assert.equal(await digits(page).count(), 0)
  await own.fill(pinned)
  await bothShow(hash)

  // The signature of this operation by this key is right, and the one of another operation is refused: a page that shows one operation
  // and has another signed is found here, before anything is sent.
  const signer = checkSignature(digest, signed(digest), `0x${'00'.repeat(20)}`).found
  const checked = page.locator('#checked')
  const copySigned = page.getByRole('button', { name: 'Copy the signed operation' })
  await page.getByLabel('Signature', { exact: true }).fill(signed(digest))
  await page.getByLabel('Address of the key').fill(signer)
  await expectText(checked, /^This key signed exactly this operation/)
  await look('13-second-signed')
  await copySigned.click()
  await expectText(page.locator('#copied'), /^Copied/)
  assert.deepEqual(JSON.parse(await page.evaluate('navigator.clipboard.readText()')), { ...operation, signature: signed(digest) })
  const theft = `0x${'66'.repeat(32)}`
  assert(checkSignature(theft, signed(theft), signer).ok)
  await page.getByLabel('Signature', { exact: true }).fill(signed(theft))
  await expectText(checked, /^Do not send: it is the signature of another operation, or of another key/)
  assert(await copySigned.isHidden())
  await look('13-second-stolen')
  await page.getByLabel('Signature', { exact: true }).fill('0x1234')
  await expectText(checked, /^Do not send: .*65 bytes/)
  await page.getByLabel('Signature', { exact: true }).fill(signed(digest))
  await expectText(checked, /^This key signed exactly this operation/)

  // Neither device shows digits for a changed reply. The second device names the field and both values.
  await first.getByRole('button', { name: 'Show the lie', exact: true }).click()
  await expectText(first.locator('#code'), /no digits/)
  await handOver()
  const refused = async () => {
    await expectText(verdict, /^Refused\. /)
    await expectText(result, /^There are no digits/)
    const both = `Recipient\\s+You asked for\\s+${RECIPIENT}\\s+The reply says\\s+${STRANGER}`
    await expectText(result, new RegExp(both, 'i'))
    for (const device of [first, page]) assert.equal(await digits(device).count(), 0)
    assert(await copySigned.isHidden())
  }
  await refused()
  await look('14-second-refused')

  // The documents can also be files, and the page reports text that is not a document.
  const tampered = await first.locator('#text').inputValue()
  await drop(page, 'Reply', tampered.slice(0, -1))
  await expectText(result, /Reply\s+expected JSON/)
  await drop(page, 'Reply', tampered)
  await refused()

  // A raw transaction: a sentence for each move, and the warnings.
  const raw = await transfer(first, 'RAW_TRANSACTION')
  await handOver()
  await bothShow(raw.hash)
  assert.notEqual(raw.hash, hash)
  assert.deepEqual(await page.locator('.sentences li').allInnerTexts(), described(raw.operation))
  assert(described(raw.operation)[0].startsWith('0.01 POL (10000000000000000 wei)'))
  for (const device of [first, page]) {
    await expectText(device.getByText('Look twice').locator('..'), /Transaction 2, data: [^]*is not known here[^]*may take everything/)
  }
  await look('15-second-warnings')

  assert.deepEqual(requests, [])
  await first.bringToFront()
}

/**
 * The signature of a digest by a key of this test, in ECDSA with 1 as the random number: r is the x of the generator, whose y is even. The
 * key is no secret, so this is safe here and nowhere else.
 */
function signed(digest) {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const r = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n
  const s = (BigInt(digest) + r * 0x5e2d0ffn) % order
  const isHigh = s > order / 2n
  const word = (number) => number.toString(16).padStart(64, '0')
  return `0x${word(r)}${word(isHigh ? order - s : s)}${isHigh ? '1c' : '1b'}`
}

/** The sentences of an operation, with the names that the page knows of its chain. */
function described({ callData }) {
  const caip2Id = 'eip155:80002'
  const token = { caip2Id, tokenAddress: '', symbol: 'POL', decimals: 18 }
  return describeCall(callData, { chains: [{ caip2Id, name: 'Polygon Amoy' }], tokens: [token] }).sentences
}

/** Drops a file with this text onto a field. */
async function drop(page, label, text) {
  await page.getByLabel(label, { exact: true }).evaluate((field, text) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([text], 'document.json', { type: 'application/json' }))
    field.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }, text)
}
