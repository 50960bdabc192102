// node browser/run.mjs: fills in the form that `npm run build` made, in Chromium. This program also answers as the service.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { estimate, findOperation, rateLimited, userOpHash } from 'sendoff'
import { launch } from '../../../../../tests/browser/chromium.mjs'
import { serving } from '../../../../../tests/browser/serving.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const { entryPoint, chainId, version, gasFeeOrder } = JSON.parse(readFileSync(at('../src/deployment.json'), 'utf8'))
const facts = JSON.parse(readFileSync(at('../../../../../tests/demo/facts.json'), 'utf8'))
const [recipient, other] = ['0xEc186DB52Cb079380E9Ed11740859d5a45e1B831', '0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F']
const collection = '0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90'
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:"
const EMPTY = 'Enter a wallet address: 0x and 40 characters.'

const browser = await launch()
try {
  console.log(`Chromium ${browser.version()}`)
  await serving(at('../../../../../target/react-form'), visit, POLICY)
} finally {
  await browser.close()
}

async function visit(address) {
  const context = await browser.newContext({ viewport: { width: 360, height: 800 } })
  await context.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
  const page = await context.newPage()
  const complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // Chromium logs this for every refusal, and refusals are part of the test.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) complaints.push(message.text())
  })
  const service = { isLost: false, recipient: undefined, limited: 0, requests: [], sent: [], breaks: 0, isSlow: false }
  await page.route(/\/api\//, (route) => route.fulfill(answer(service, route.request())))
  await page.route(/\/bundler$/, (route) => bundle(service, route))
  await page.goto(address)
  await fillIn(page)
  await loseTheService(page, service)
  await refuseAnother(page, service)
  await signAndSend(page, service)
  await sendAnother(page, service)
  await reload(page, service)
  await chooseAnotherToken(page, service)
  assert.deepEqual(complaints, [])
  await context.close()
}

/** Every problem is shown at its field, in words for people. */
async function fillIn(page) {
  const [to, from, nft, amount] = ['To', 'Collection', 'NFT', 'How many'].map((label) => page.getByLabel(label, { exact: true }))
  const problem = (name) => page.locator(`[id="details.${name}-error"]`)
  const says = async (name, text) => {
    await problem(name).filter({ hasText: text || /^$/ }).waitFor({ state: 'attached' })
    assert.equal(await problem(name).textContent(), text)
  }
  await page.getByRole('button', { name: 'Continue' }).click()
  await says('recipientWalletAddress', EMPTY)
  await says('collectionAddress', 'Enter the address of the collection: 0x and 40 characters.')
  await says('nftId', 'Enter the number or the id of the NFT.')
  await says('amount', '')
  assert.equal(await to.getAttribute('aria-invalid'), 'true')
  await look(page, 'empty')
  await to.fill(recipient.replace('B831', 'b831'))
  await says('recipientWalletAddress', 'Check this address: at least one character is wrong.')
  await amount.fill('2')
  await from.fill(collection)
  await nft.fill('56')
  await to.fill(recipient)
  await says('amount', 'Enter 1: this NFT is a single piece.')
  await amount.fill('1')
  for (const name of ['recipientWalletAddress', 'collectionAddress', 'nftId', 'amount']) await says(name, '')
}

/** If a proxy's page arrives instead of a reply, the failure is explained in words. */
async function loseTheService(page, service) {
  service.isLost = true
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('status').filter({ hasText: 'The service does not answer. Try again.' }).waitFor()
  service.isLost = false
}

/** A reply with another recipient is shown, and cannot be signed. */
async function refuseAnother(page, service) {
  service.recipient = other
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('status').filter({ hasText: 'Do not sign.' }).waitFor()
  const said = await page.getByRole('status').textContent()
  assert(said.includes(recipient) && said.includes(other), said)
  assert.equal(await page.getByRole('button', { name: 'Sign and send' }).count(), 0)
  await look(page, 'refused')
}

/** The effects of a signature are shown after the wait for the limit. An answer that is lost leads to the same operation again. */
async function signAndSend(page, service) {
  service.recipient = undefined
  service.limited = 2
  await page.getByRole('button', { name: 'Continue' }).click()
  const waits = page.getByRole('button', { name: /^Wait \d seconds?$/ })
  await waits.waitFor()
  const began = performance.now()
  assert.equal(await waits.isDisabled(), true)
  await page.getByRole('status').filter({ hasText: 'Too many requests.' }).waitFor()
  await look(page, 'waiting')
  await page.getByRole('button', { name: 'Continue' }).click({ timeout: 10_000 })
  // The countdown began with the reply, shortly before the button was seen.
  assert(performance.now() - began > 1_000, 'the countdown is as long as `retry-after`')

  const shown = page.getByRole('region', { name: 'What you sign' })
  await shown.waitFor()
  const words = await shown.textContent()
  assert(words.includes(`NFT 56 of the collection ${collection} goes to ${recipient} on Polygon Amoy (eip155:80002), on behalf of your wallet`), words)
  // The cost is paid on the chain of the EntryPoint, and not in POL.
  assert(words.includes("The operation costs at most 0.00375 of the chain's coin (3750000000000000 wei) on eip155:1802466136.") && !words.includes('POL'), words)
  await look(page, 'to-sign')
  assert.deepEqual(service.sent, [])
  service.breaks = 1
  await shown.getByRole('button', { name: 'Sign and send' }).click()
  await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor()
  const [operation, again, ...more] = service.sent
  assert.deepEqual([again, more], [operation, []])
  assert.match(operation.signature, /^0x[0-9a-f]{130}$/)
  await look(page, 'done')
}

/** The second transfer of a visit has a job, and so a nonce, of its own. */
async function sendAnother(page, service) {
  await page.getByLabel('NFT', { exact: true }).fill('57')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('region', { name: 'What you sign' }).getByText('NFT 57 of').waitFor()
  await page.getByRole('button', { name: 'Sign and send' }).click()
  await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor()
  const [first, , second, ...more] = service.sent
  assert.deepEqual(more, [])
  assert.notEqual(second.nonce, first.nonce)
}

/** After a reload, an open transfer goes on in its job. */
async function reload(page, service) {
  service.isSlow = true
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Sign and send' }).click()
  await page.getByRole('status').filter({ hasText: 'Waiting for the chain.' }).waitFor()
  await page.reload()
  const again = page.getByRole('button', { name: 'Look again' })
  await again.waitFor()
  assert.equal(await page.getByRole('button', { name: 'Continue' }).isDisabled(), true)
  await look(page, 'open')
  service.isSlow = false
  await again.click()
  await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor()
  assert.equal(service.sent.length, 4)
  assert.equal(new Set(service.sent.map(({ nonce }) => nonce)).size, 3)
}

/** An amount is that of the token that is chosen when the form is submitted, not of the one chosen while it was typed. */
async function chooseAnotherToken(page, service) {
  await page.getByRole('button', { name: 'Tokens' }).click()
  const amount = page.getByLabel('Amount', { exact: true })
  await page.getByLabel('To', { exact: true }).fill(` ${recipient} `)
  await amount.fill('0,5')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.locator('[id="details.amount-error"]').filter({ hasText: 'Write a point and no comma: 0.5.' }).waitFor()
  assert.equal(await page.locator('[id="details.recipientWalletAddress-error"]').textContent(), '')
  await look(page, 'comma')
  await amount.fill(' 0.5 ')
  for (const [symbol, units, words] of [
    ['USDC', '500000', '0.5 USDC (500000 units) of the token'],
    ['POL', '500000000000000000', '0.5 POL (500000000000000000 wei)'],
    ['USDC', '500000', '0.5 USDC (500000 units) of the token'],
  ]) {
    await page.getByLabel('Token').selectOption({ label: symbol })
    await page.getByRole('button', { name: 'Continue' }).click()
    const shown = page.getByRole('region', { name: 'What you sign' })
    await shown.getByText(words).waitFor()
    const { details } = service.requests.at(-1)
    assert.deepEqual([details.amount, details.recipientWalletAddress], [units, recipient])
    await shown.getByRole('button', { name: 'Do not sign' }).click()
    await page.getByRole('status').filter({ hasText: 'Nothing was signed.' }).waitFor()
  }
  assert.equal(service.sent.length, 4)
}

/** Checks that hold in every state of the page. */
async function look(page, state) {
  const { violations } = await page.evaluate('axe.run()')
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`), [], state)
  const wide = await page.evaluate('document.documentElement.scrollWidth')
  assert(wide <= 360, `${state}: the page is ${wide} pixels wide on a screen of 360`)
  await page.screenshot({ path: at(`../../../../../target/react-form/${state}.png`), fullPage: true })
}

/** The service: it answers estimates, up to its limit. */
function answer(service, request) {
  const { operation } = findOperation(request.method(), new URL(request.url()).pathname)
  const document = request.postDataJSON()
  const json = (status, body, headers = {}) => ({ status, headers, contentType: 'application/json', body: JSON.stringify(body) })
  if (service.isLost) return { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }
  if (operation === 'estimate') {
    if (service.limited > 0) {
      const { status, headers, body } = rateLimited('trace', service.limited)
      service.limited = 0
      return json(status, body, headers)
    }
    service.requests.push(document)
    const details = { ...document.details, ...(service.recipient && { recipientWalletAddress: service.recipient }) }
    return json(200, estimate({ ...document, details }, facts))
  }
  throw new Error(`the page calls ${operation}`)
}

/** The bundler and the chain: an operation is executed once it is there, unless the chain is slow. */
async function bundle(service, route) {
  const { method, params: [first] } = route.request().postDataJSON()
  const result = (result) => route.fulfill({ contentType: 'application/json', body: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) })
  if (method === 'eth_sendUserOperation') {
    service.sent.push(first)
    if (service.breaks-- > 0) return route.abort()
    const hash = userOpHash(first, { entryPoint, chainId, version, gasFeeOrder })
    service.executed = { ...service.executed, [hash]: true }
    return result(hash)
  }
  const isThere = service.executed?.[first] && !service.isSlow
  return result(isThere ? { userOpHash: first, success: true, actualGasCost: '0x64', actualGasUsed: '0x5' } : null)
}
