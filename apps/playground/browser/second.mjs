// The second device verifies the same documents independently, shows what the wallet must show and the same digits or none, and
// checks the signature.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { comparisonCode, describeCall, signable } from 'sendoff'
import { checkSignature } from 'sendoff/signature'
import { sign } from '../../../bindings/sendoff-js/test/signing.mjs'
import { transfer } from './gateway.mjs'
import { copied, expectText, steps } from '../../../tests/browser/person.mjs'

const DEPLOYMENT = new URL('../../../tests/demo/deployment.json', import.meta.url)
const deployment = readFileSync(DEPLOYMENT, 'utf8')
const RECIPIENT = '0xEc186DB52Cb079380E9Ed11740859d5a45e1B831'
const STRANGER = '0x000000000000000000000000000000000000dEaD'
/** Signs a digest, by a key that is no secret. */
const signed = (digest) => sign(digest, `0x${'5e'.repeat(32)}`)
const RIGHT = /^This key signed exactly this operation/

export async function walkSecond(first, page, look) {
  const run = (...list) => steps(page, look, list)
  const [devices, own] = [[first, page], page.getByLabel('Deployment')]
  const digits = async (page) => (await page.locator('.digits').innerText()).trim().split(/\s+/).join(' ')
  const copySigned = page.getByRole('button', { name: 'Copy the signed operation' })

  // The page is loaded, and there must be no further request, except for the icon.
  const requests = []
  page.on('request', (request) => request.url().endsWith('/icon.svg') || requests.push(request.url()))
  await run({ '#waiting': /Paste\s+the request and the reply/, hidden: '#verdict', look: '12-second-empty' })

  /** Pastes the text that the first page copies into the second page. */
  const handOver = async () => {
    await first.bringToFront()
    await steps(first, look, [{ press: 'Copy request and reply', '#copied': /^Copied/ }])
    await page.bringToFront()
    await page.getByLabel('Request').focus()
    await page.keyboard.press('ControlOrMeta+V')
    await run({ focus: '#compare-heading' })
  }
  const challenge = async () => (await page.locator('#challenge').innerText()).replaceAll(' ', '')
  const bothShow = async (hash) => {
    await run({ '#verdict': /^Verified/, '#challenge': /^(\d ?){12}$/ })
    await first.getByLabel('Number from the second device').fill(await page.locator('#challenge').innerText())
    const code = comparisonCode(hash, await challenge())
    for (const device of devices) assert.equal(await digits(device), code)
  }

  // Both devices show the digits that another runtime computes from the same documents, and this one the 32 bytes that a wallet shows.
  // This device's expectations bind everything; the first device's deployment has none.
  const { hash, digest, digests, operation } = await transfer(first, 'NFT_TRANSFER')
  await handOver()
  await bothShow(hash)
  await steps(first, look, [{ '#hash': new RegExp(`^${hash}$`), '#digest': new RegExp(`^${digest}$`), '#words': new RegExp(RECIPIENT) }])
  const number = await challenge()
  const [sentence] = described(operation)
  await run({
    '#result': new RegExp(`Message\\s+${hash}\\s+Call data\\s+${digests.callData}`),
    none: '#result :text("Look twice")',
    '#verdict': /Nothing is left to the server\.$/,
  })
  assert.equal(await page.locator('.sentences').innerText(), sentence)
  assert(sentence.includes(RECIPIENT) && sentence.includes('Polygon Amoy (eip155:80002)'))
  await expectText(first.locator('#verdict'), /Left to the server: sender, policies, gsn, callGasLimit, /)
  await look('13-second-verified')

  // The deployment is the second device's own: with another one its digits differ. The number belongs to the operation: nobody knows it
  // before this device has the operation.
  const pinned = await own.inputValue()
  const typed = JSON.stringify({ ...JSON.parse(pinned), version: '0.8', signs: 'typedData' })
  await run({ fill: ['Deployment', pinned.replace('"version": "0.7"', '"version": "0.8"')], '#result': /Look twice\s+.*signs/ })
  assert.notEqual(await digits(page), await digits(first))
  assert.notEqual(await challenge(), number)
  const [request, reply] = await Promise.all(['Request', 'Reply'].map((label) => page.getByLabel(label).inputValue()))
  const { eip712 } = signable(request, reply, typed).digests
  await run(
    { fill: ['Deployment', typed], '#result': new RegExp(`Digest\\s+${eip712.digest}\\s+Domain hash\\s+${eip712.domain}\\s+Message hash\\s+${eip712.message}`) },
    { fill: ['Deployment', pinned.replace(/"entryPoint": "0x..../, '"entryPoint": "')], '#result': /EntryPoint/, none: '.digits' },
    { fill: ['Deployment', pinned] },
  )
  await bothShow(hash)

  // The signature of this operation by this key is right, and the one of another operation is refused: a page that shows one operation
  // and has another signed is found here, before anything is sent.
  const [signer, theft] = [checkSignature(digest, signed(digest), `0x${'00'.repeat(20)}`).found, `0x${'66'.repeat(32)}`]
  assert(checkSignature(theft, signed(theft), signer).ok)
  await run(
    { fill: ['Signature', signed(digest)] },
    { fill: ['Address of the key', signer], '#checked': RIGHT, look: '13-second-signed', press: 'Copy the signed operation', '#copied': /^Copied/ },
  )
  assert.deepEqual(JSON.parse(await copied(page)), { ...operation, signature: signed(digest) })
  await run({ fill: ['Signature', signed(theft)], '#checked': /^Do not send: it is the signature of another operation, or of another key/ })
  assert(await copySigned.isHidden())
  await run(
    { look: '13-second-stolen', fill: ['Signature', '0x1234'], '#checked': /^Do not send: .*65 bytes/ },
    { fill: ['Signature', signed(digest)], '#checked': RIGHT },
  )

  // Neither device shows digits for a changed reply. The second device names the field and both values.
  await steps(first, look, [{ press: 'Show the lie', '#code': /no digits/ }])
  await handOver()
  const refused = async () => {
    const both = `^There are no digits[^]*Recipient\\s+You asked for\\s+${RECIPIENT}\\s+The reply says\\s+${STRANGER}`
    await run({ '#verdict': /^Refused\. /, '#result': new RegExp(both, 'i') })
    for (const device of devices) assert.equal(await device.locator('.digits').count(), 0)
    assert(await copySigned.isHidden())
  }
  await refused()
  await look('14-second-refused')

  // The documents can also be files, and the page reports text that is not a document.
  const tampered = await first.locator('#text').inputValue()
  await drop(page, 'Reply', tampered.slice(0, -1))
  await run({ '#result': /Reply\s+expected JSON/ })
  await drop(page, 'Reply', tampered)
  await refused()

  // A raw transaction: a sentence for each move, and the warnings.
  const raw = await transfer(first, 'RAW_TRANSACTION')
  await handOver()
  await bothShow(raw.hash)
  assert.notEqual(raw.hash, hash)
  assert.deepEqual(await page.locator('.sentences li').allInnerTexts(), described(raw.operation))
  assert(described(raw.operation)[0].startsWith('0.01 POL (10000000000000000 wei)'))
  for (const device of devices) {
    await expectText(device.getByText('Look twice').locator('..'), /Transaction 2, data: [^]*is not known here[^]*may take everything/)
  }
  await look('15-second-warnings')

  assert.deepEqual(requests, [])
  await first.bringToFront()
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
