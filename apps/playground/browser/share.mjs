// The form as code that runs, and as a link that restores it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { assemble, estimate, signable } from 'sendoff'
import { example, expectText } from '../../../tests/browser/person.mjs'

const facts = JSON.parse(readFileSync(new URL('../../../tests/demo/facts.json', import.meta.url), 'utf8'))
const AsyncFunction = (async () => {}).constructor

export async function walkShare(page, look) {
  // The code runs as it is shown: it asks for what the form says, and prints the sentence of the page's own names.
  const [asked, said] = [[], []]
  const given = { clientSWA: '0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA', userSWA: '0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906' }
  const policies = { gsnEnabled: false, sponsorshipEnabled: true }
  const scope = {
    signable,
    assemble,
    token: 'secret',
    console: { log: (sentences) => said.push(sentences) },
    fetch: async (path, { body }) => {
      asked.push(JSON.parse(body))
      return new Response(JSON.stringify(estimate(body, { ...facts, ...given, policies, fees: undefined })))
    },
    wallet: { signMessage: async () => `0x${'11'.repeat(64)}1b` },
  }
  const [head, ...lines] = (await page.getByLabel('The code', { exact: true }).inputValue()).split('\n')
  assert.equal(head, "import { assemble, signable } from 'sendoff'")
  const run = new AsyncFunction(...Object.keys(scope), `${lines.join('\n')}\nreturn signed`)
  assert.equal((await run(...Object.values(scope))).signature.length, 132)
  assert.equal(asked[0].type, await page.getByLabel('Type of transfer').inputValue())
  assert(said[0].includes(await page.locator('.sentences').last().innerText()))
  const [code, language] = ['The code', 'Language'].map((label) => page.getByLabel(label, { exact: true }))
  await language.selectOption('curl')
  assert.deepEqual(JSON.parse(/ -d '([^]*)'\n$/.exec(await code.inputValue())[1]), asked[0])
  await language.selectOption('Rust')
  const documents = Array.from((await code.inputValue()).matchAll(/r#"([^]*?)"#\.parse/g), ([, json]) => JSON.parse(json))
  assert.deepEqual([documents[0], documents[1].chainId, documents[2].chains[0].name], [asked[0], 137, 'Polygon'])
  await page.getByRole('button', { name: 'Copy the code' }).click()
  await expectText(page.locator('#shared'), /^Copied\.$/)
  await look('6-code')

  // A link has the form and the lie; nothing of it goes to a server.
  await example(page, 'RAW_TRANSACTION')
  await page.getByLabel('Its lie').selectOption('transactions-reordered')
  await expectText(page.locator('h1'), /^2 transactions run/)
  const raw = await page.locator('#hash').innerText()
  await page.getByRole('button', { name: 'Copy a link to this page' }).click()
  const link = await page.evaluate('navigator.clipboard.readText()')
  assert.equal(new URL(link).search, '')
  assert.doesNotMatch(link, /token=|service=/)
  const other = await page.context().newPage()
  const requests = []
  other.on('request', (request) => requests.push(request.url()))
  await other.goto(link)
  await expectText(other.locator('h1'), /^2 transactions run/)
  await expectText(other.locator('#verdict'), /^Verified/)
  assert.equal(await other.locator('#hash').innerText(), raw)
  assert.equal(await other.getByLabel('Its lie').inputValue(), 'transactions-reordered')
  assert(requests.every((url) => !url.includes('jobId')), 'the form stays in the page')
  await other.close()
}
