// A page of another origin in Chromium: it calls each host, and reads its replies and refusals.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { operationPath, RateLimiter } from 'sendoff'
import { CHROMIUM, launch } from '../../../../../tests/browser/chromium.mjs'
import { listening } from '../../../test/help.mjs'
import { hosts } from './support/guarded.mjs'

const TRANSFER = operationPath('transferNft', {})
const ORDERS = operationPath('orders', {})
const policy = { limit: 1, windowMs: 60_000 }
const skip = !existsSync(CHROMIUM) && `${CHROMIUM} is not there`

let browser
before(async () => {
  if (!skip) browser = await launch()
})
after(() => browser?.close())

for (const [name, serve] of Object.entries(hosts)) {
  test(`${name}: a page of another origin calls, and reads replies and refusals`, { skip }, async (t) => {
    const [page, stranger] = [await opened(t), await opened(t)]
    const preflights = []
    const options = { limiter: new RateLimiter(policy), advertise: policy, cors: { origins: [page.origin] } }
    const server = await serve(options)
    server.prependListener('request', ({ method }) => method === 'OPTIONS' && preflights.push(method))
    const address = await listening(t, server)

    const key = { 'x-api-key': 'shop', 'content-type': 'application/json', authorization: 'Bearer demo-token' }
    const admitted = await page.call('POST', address + TRANSFER, key)
    assert.deepEqual([admitted.status, admitted.retryAfter], [200, null])
    assert.match(admitted.rateLimit, /r=0/)
    const refused = await page.call('POST', address + TRANSFER, key)
    assert.equal(refused.status, 429)
    assert.match(refused.retryAfter, /^([1-9]|[1-5]\d|60)$/)
    assert.equal(JSON.parse(refused.text).error.trace_id, refused.requestId)
    const nobody = await page.call('POST', address + TRANSFER, { 'content-type': 'application/json' })
    assert.equal(nobody.status, 401)
    const orders = await page.call('GET', address + ORDERS, { 'x-api-key': 'shop' })
    assert.equal(orders.status, 200)
    const alias = await page.call('GET', `${address}${ORDERS}/`, { 'x-api-key': 'shop' })
    assert.match(JSON.parse(alias.text).error.message, /is not canonical/)
    // Where the host's error handler answers, the page reads that too.
    const nothing = await page.call('GET', `${address}/nothing`, { 'x-api-key': 'shop' })
    assert.match(JSON.parse(nothing.text).error.message, /an unknown path/)
    for (const { requestId } of [admitted, refused, nobody, orders, alias, nothing]) assert(requestId)
    // The browser asked before the first call with these headers, and kept the answer.
    assert(preflights.length > 0 && preflights.length < 6, `${preflights.length} preflights`)

    // Only the listed origins.
    await assert.rejects(stranger.call('POST', address + TRANSFER, key), /Failed to fetch/)
  })
}

/** An empty page with an origin of its own. */
async function opened(t) {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'))
  const origin = await listening(t, server)
  const context = await browser.newContext()
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(origin)
  return { origin, call: (method, url, headers) => page.evaluate(fetched, { method, url, headers }) }
}

/** Runs in the page: what a page can read of a reply. */
async function fetched({ url, ...init }) {
  const response = await fetch(url, init.method === 'POST' ? { ...init, body: '{}' } : init)
  const { status, headers } = response
  const [retryAfter, requestId, rateLimit] = ['retry-after', 'x-request-id', 'ratelimit'].map((name) => headers.get(name))
  return { status, retryAfter, requestId, rateLimit, text: await response.text() }
}
