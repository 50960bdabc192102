// node browser/run.mjs: fills in the form that `npm run build` made, in Chromium. This program also answers as the service.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { estimate, findOperation, rateLimited, userOpHash } from 'sendoff'
import { inChromium } from '../../../../../tests/browser/chromium.mjs'
import { hear, lookAt, steps } from '../../../../../tests/browser/person.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const { entryPoint, chainId, version, gasFeeOrder } = JSON.parse(readFileSync(at('../src/deployment.json'), 'utf8'))
const facts = JSON.parse(readFileSync(at('../../../../../tests/demo/facts.json'), 'utf8'))
const [recipient, other] = ['0xEc186DB52Cb079380E9Ed11740859d5a45e1B831', '0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F']
const collection = '0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90'
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:"
const STATUS = '[role=status]'
const SHOWN = '[aria-label="What you sign"]'
const problem = (name) => `[id="details.${name}-error"]`

await inChromium(at('../../../../../target/react-form'), visit, POLICY)

async function visit(address, browser) {
  console.log(`Chromium ${browser.version()}`)
  const context = await browser.newContext({ viewport: { width: 360, height: 800 } })
  await context.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
  const page = await context.newPage()
  const complaints = []
  hear(page, complaints)
  const service = { isLost: false, recipient: undefined, limited: 0, requests: [], sent: [], breaks: 0, isSlow: false }
  await page.route(/\/api\//, (route) => route.fulfill(answer(service, route.request())))
  await page.route(/\/bundler$/, (route) => bundle(service, route))
  await page.goto(address)
  const look = (state) => lookAt(page, state, at(`../../../../../target/react-form/${state}.png`), [360])
  const run = (...list) => steps(page, look, list)
  for (const walk of [fillIn, loseTheService, refuseAnother, signAndSend, sendAnother, reload, chooseAnotherToken]) await walk(run, service, page)
  assert.deepEqual(complaints, [])
  await context.close()
}

/** Every problem is shown at its field, in words for people. */
async function fillIn(run, _service, page) {
  const [to, from, nft, amount] = ['recipientWalletAddress', 'collectionAddress', 'nftId', 'amount'].map(problem)
  await run({
    press: 'Continue',
    [to]: /^Enter a wallet address: 0x and 40 characters\.$/,
    [from]: /^Enter the address of the collection: 0x and 40 characters\.$/,
    [nft]: /^Enter the number or the id of the NFT\.$/,
    [amount]: /^$/,
  })
  assert.equal(await page.getByLabel('To', { exact: true }).getAttribute('aria-invalid'), 'true')
  await run(
    { look: 'empty', fill: ['To', recipient.replace('B831', 'b831')], [to]: /^Check this address: at least one character is wrong\.$/ },
    { fill: ['How many', '2'] },
    { fill: ['Collection', collection] },
    { fill: ['NFT', '56'] },
    { fill: ['To', recipient], [amount]: /^Enter 1: this NFT is a single piece\.$/ },
    { fill: ['How many', '1'], [to]: /^$/, [from]: /^$/, [nft]: /^$/, [amount]: /^$/ },
  )
}

/** If a proxy's page arrives instead of a reply, the failure is explained in words. */
async function loseTheService(run, service) {
  service.isLost = true
  await run({ press: 'Continue', [STATUS]: /The service does not answer\. Try again\./ })
  service.isLost = false
}

/** A reply with another recipient is shown, and cannot be signed. */
async function refuseAnother(run, service) {
  service.recipient = other
  await run(
    { press: 'Continue', [STATUS]: /Do not sign\./ },
    { [STATUS]: new RegExp(recipient) },
    { [STATUS]: new RegExp(other), button: ['Sign and send', 0], look: 'refused' },
  )
}

/** The effects of a signature are shown after the wait for the limit. An answer that is lost leads to the same operation again. */
async function signAndSend(run, service, page) {
  service.recipient = undefined
  service.limited = 2
  await run({ press: 'Continue' })
  const waits = page.getByRole('button', { name: /^Wait \d seconds?$/ })
  await waits.waitFor()
  const began = performance.now()
  assert.equal(await waits.isDisabled(), true)
  await run({ [STATUS]: /Too many requests\./, look: 'waiting', press: 'Continue' })
  // The countdown began with the reply, shortly before the button was seen.
  assert(performance.now() - began > 1_000, 'the countdown is as long as `retry-after`')

  // The cost is paid on the chain of the EntryPoint, and not in POL.
  const cost = "The operation costs at most 0.00375 of the chain's coin (3750000000000000 wei) on eip155:1802466136."
  const words = `NFT 56 of the collection ${collection} goes to ${recipient} on Polygon Amoy (eip155:80002), on behalf of your wallet`
  await run({ [SHOWN]: /costs/, look: 'to-sign' })
  const shown = await page.locator(SHOWN).textContent()
  assert(shown.includes(words) && shown.includes(cost) && !shown.includes('POL'), shown)
  assert.deepEqual(service.sent, [])
  service.breaks = 1
  await run({ press: 'Sign and send', [STATUS]: /Done\./ })
  const [operation, again, ...more] = service.sent
  assert.deepEqual([again, more], [operation, []])
  assert.match(operation.signature, /^0x[0-9a-f]{130}$/)
  await run({ look: 'done' })
}

/** The second transfer of a visit has a job, and so a nonce, of its own. */
async function sendAnother(run, service) {
  await run({ fill: ['NFT', '57'], press: 'Continue', [SHOWN]: /NFT 57 of/ }, { press: 'Sign and send', [STATUS]: /Done\./ })
  const [first, , second, ...more] = service.sent
  assert.deepEqual(more, [])
  assert.notEqual(second.nonce, first.nonce)
}

/** After a reload, an open transfer goes on in its job. */
async function reload(run, service, page) {
  service.isSlow = true
  await run({ press: 'Continue' }, { press: 'Sign and send', [STATUS]: /Waiting for the chain\./ })
  await page.reload()
  await page.getByRole('button', { name: 'Look again' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Continue' }).isDisabled(), true)
  await run({ look: 'open' })
  service.isSlow = false
  await run({ press: 'Look again', [STATUS]: /Done\./ })
  assert.equal(service.sent.length, 4)
  assert.equal(new Set(service.sent.map(({ nonce }) => nonce)).size, 3)
}

/** An amount is that of the token that is chosen when the form is submitted, not of the one chosen while it was typed. */
async function chooseAnotherToken(run, service) {
  await run(
    { press: 'Tokens', fill: ['To', ` ${recipient} `] },
    { fill: ['Amount', '0,5'], press: 'Continue', [problem('amount')]: /^Write a point and no comma: 0\.5\.$/ },
    { [problem('recipientWalletAddress')]: /^$/, look: 'comma', fill: ['Amount', ' 0.5 '] },
  )
  for (const [label, units, words] of [
    ['USDC', '500000', /0\.5 USDC \(500000 units\) of the token/],
    ['POL', '500000000000000000', /0\.5 POL \(500000000000000000 wei\)/],
    ['USDC', '500000', /0\.5 USDC \(500000 units\) of the token/],
  ]) {
    await run({ select: ['Token', { label }], press: 'Continue', [SHOWN]: words })
    const { details } = service.requests.at(-1)
    assert.deepEqual([details.amount, details.recipientWalletAddress], [units, recipient])
    await run({ press: 'Do not sign', [STATUS]: /Nothing was signed\./ })
  }
  assert.equal(service.sent.length, 4)
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
