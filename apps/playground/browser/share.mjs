// The state of the page as code, as a link that restores it, and the lines of a reply with a problem.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { assemble, estimate, signable } from 'sendoff'
import { expectText } from './person.mjs'

const facts = JSON.parse(readFileSync(new URL('../../../tests/demo/facts.json', import.meta.url), 'utf8'))
const AsyncFunction = (async () => {}).constructor

export async function walkShare(page, look) {
  await page.goto(page.url().split('#')[0])
  await expectText(page.locator('#verdict'), /^Verified/)
  const hash = await page.locator('#hash').innerText()
  const code = page.getByLabel('The code', { exact: true })
  const language = page.getByLabel('Language')

  // The code runs as it is shown, and signs the hash that the page shows.
  const [asked, said] = [[], []]
  const scope = {
    signable,
    assemble,
    token: 'secret',
    console: { log: (sentences) => said.push(sentences) },
    fetch: async (path, { body }) => {
      asked.push(JSON.parse(body))
      return new Response(JSON.stringify(estimate(body, facts)))
    },
    wallet: { signMessage: async () => `0x${'11'.repeat(64)}1b` },
  }
  const [head, ...lines] = (await code.inputValue()).split('\n')
  assert.equal(head, "import { assemble, signable } from 'sendoff'")
  const run = new AsyncFunction(...Object.keys(scope), `${lines.join('\n')}\nreturn { hash, signed }`)
  const { hash: computed, signed } = await run(...Object.values(scope))
  assert.equal(computed, hash)
  assert.equal(signed.signature.length, 132)
  await language.selectOption('curl')
  assert.deepEqual(JSON.parse(/ -d '([^]*)'\n$/.exec(await code.inputValue())[1]), asked[0])
  await language.selectOption('Rust')
  const [request, deployment, names] = Array.from((await code.inputValue()).matchAll(/r#"([^]*?)"#\.parse/g), ([, json]) => JSON.parse(json))
  assert.deepEqual([request, deployment.chainId], [asked[0], 1802466136])
  assert.deepEqual(names.chains, [{ caip2Id: 'eip155:80002', name: 'Polygon Amoy' }])
  assert.deepEqual(said, [signable(request, estimate(request, facts), deployment, names).account.call.sentences[0]])
  await page.getByRole('button', { name: 'Copy the code' }).click()
  await expectText(page.locator('#code-copied'), /^Copied\.$/)
  await look('18-code')

  // A link has the form and the change of the reply; nothing of it goes to a server.
  const opened = async (check) => {
    await page.getByRole('button', { name: 'Copy a link to this page' }).click()
    await expectText(page.locator('#link-copied'), /^Copied\.$/)
    const link = await page.evaluate('navigator.clipboard.readText()')
    assert.equal(new URL(link).search, '')
    const other = await page.context().newPage()
    const asked = []
    other.on('request', (request) => asked.push(request.url()))
    await other.goto(link)
    await expectText(other.locator('#verdict'), /\S/)
    await check(other)
    assert(asked.every((url) => !url.includes('state=')), 'the state stays in the page')
    await other.close()
  }
  await page.getByLabel('Type of transfer').selectOption('RAW_TRANSACTION')
  await page.getByRole('button', { name: 'Fill in an example' }).click()
  await page.getByRole('button', { name: 'Ask the service' }).click()
  await expectText(page.locator('h1'), /^3 transactions run/)
  const raw = await page.locator('#hash').innerText()
  await opened(async (other) => {
    assert.equal(await other.locator('#hash').innerText(), raw)
    assert.equal(await other.getByLabel('Type of transfer').inputValue(), 'RAW_TRANSACTION')
  })
  await page.getByRole('button', { name: 'Swap the recipient', exact: true }).click()
  const verdict = await page.locator('#verdict').innerText()
  await opened(async (other) => {
    await expectText(other.locator('#verdict'), /^Refused\. The bytes to sign name another recipient\./)
    assert.equal(await other.locator('#verdict').innerText(), verdict)
  })

  // The editor names the line of a problem, and selects it.
  await page.getByRole('button', { name: 'Put it back' }).click()
  const text = page.getByLabel("The reply's text")
  if (!(await text.isVisible())) await page.getByText('Edit the reply yourself').click()
  const original = await text.inputValue()
  const at = original.split('\n').findIndex((line) => line.includes('"jobId"'))
  await text.fill(original.replace(/"jobId": "./, '"jobId": "g'))
  await expectText(page.locator('#faults'), new RegExp(`^Line ${at + 1} expected a UUID`))
  await page.getByRole('button', { name: `Line ${at + 1}`, exact: true }).click()
  const selected = await text.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd))
  assert.match(selected, /^ +"jobId": "g/)
  await text.fill(original.replace('"jobId"', 'jobId'))
  await expectText(page.locator('#faults'), new RegExp(`^Line ${at + 1} Here the text is not JSON any more\\.$`))
  await opened(async (other) => assert.match(await other.getByLabel("The reply's text").inputValue(), /[^"]jobId/))
  await page.getByRole('button', { name: 'Put it back' }).click()
  assert.equal(await page.locator('#faults li').count(), 0)
}
