// The second device verifies the same documents independently, and shows the same digits or no digits.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { comparisonCode, describeCall, signable } from 'sendoff'
import { expectText, send } from './person.mjs'

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

  const example = async (type) => {
    await first.getByLabel('Type of transfer').selectOption(type)
    await first.getByRole('button', { name: 'Fill in an example' }).click()
    await first.getByRole('button', { name: 'New job' }).click()
    const { request, reply } = await send(first)
    await expectText(first.locator('#verdict'), /^Verified/)
    return signable(request, reply, deployment)
  }
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
  const bothShow = async (hash) => {
    await expectText(verdict, /^Verified/)
    const code = comparisonCode(hash)
    for (const device of [first, page]) {
      const shown = await digits(device).innerText()
      assert.equal(shown.trim().split(/\s+/).join(' '), code)
    }
  }

  // Both devices show the digits that another runtime computes from the same documents.
  const { hash, operation } = await example('NFT_TRANSFER')
  await handOver()
  await bothShow(hash)
  const [sentence] = described(operation)
  assert.equal(await page.locator('.sentences').innerText(), sentence)
  assert(sentence.includes(RECIPIENT) && sentence.includes('Polygon Amoy (eip155:80002)'))
  assert.equal(await result.getByText('Look twice').count(), 0)
  await look('13-second-verified')

  // The deployment is the second device's own: with another one its digits differ.
  const own = page.getByLabel('Deployment')
  const pinned = await own.inputValue()
  await own.fill(pinned.replace('"version": "0.7"', '"version": "0.8"'))
  await expectText(result, /Look twice\s+.*signs/)
  assert.notEqual(await digits(page).innerText(), await digits(first).innerText())
  await own.fill(pinned.replace(/"entryPoint": "0x..../, '"entryPoint": "'))
  await expectText(result, /EntryPoint/)
  assert.equal(await digits(page).count(), 0)
  await own.fill(pinned)
  await bothShow(hash)

  // Neither device shows digits for a changed reply. The second device names the field and both values.
  await first.getByRole('button', { name: 'Swap the recipient', exact: true }).click()
  await expectText(first.locator('#code'), /no digits/)
  await handOver()
  const refused = async () => {
    await expectText(verdict, /^Refused\. There are no digits/)
    const both = `Recipient\\s+You asked for\\s+${RECIPIENT}\\s+The reply says\\s+${STRANGER}`
    await expectText(result, new RegExp(both, 'i'))
    for (const device of [first, page]) assert.equal(await digits(device).count(), 0)
  }
  await refused()
  await look('14-second-refused')

  // The documents can also be files, and the page reports text that is not a document.
  const tampered = await first.getByLabel("The reply's text").inputValue()
  await drop(page, 'Reply', tampered.slice(0, -1))
  await expectText(result, /^Reply\s+expected JSON/)
  await drop(page, 'Reply', tampered)
  await refused()

  // A raw transaction: a sentence for each move, and the warnings.
  const raw = await example('RAW_TRANSACTION')
  await handOver()
  await bothShow(raw.hash)
  assert.notEqual(raw.hash, hash)
  assert.deepEqual(await page.locator('.sentences li').allInnerTexts(), described(raw.operation))
  assert(described(raw.operation)[0].startsWith('0.01 POL (10000000000000000 wei)'))
  for (const device of [first, page]) {
    await expectText(device.getByText('Look twice').locator('..'), /Transaction 2, data: [^]*is not known here[^]*may then take everything/)
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
