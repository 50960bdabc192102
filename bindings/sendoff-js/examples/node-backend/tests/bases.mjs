// A guard for handlers below a prefix, in each host as its users mount it: what reaches a handler was counted.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { RateLimiter } from 'sendoff'
import { guardExpress, passed } from 'sendoff/http'
import { listening } from '../../../test/help.mjs'
import { hosts } from './support/guarded.mjs'

const TRANSFER = '/api/v1/nft/transfer'
const PREFIX = '/wallet/v1'

/** What a request is that reached a handler, by what its guard says. */
function nameOf(request) {
  try {
    return passed(request).operation
  } catch {
    return 'other'
  }
}

/** A host, and a function that sends a request line to it: the status, and what was reached. */
async function serve(t, name, options) {
  const calls = []
  const server = await hosts[name](options, { prefix: PREFIX, handle: (request) => (calls.push(nameOf(request)), {}) })
  await listening(t, server)
  return async (line, key = 'shop') => {
    const socket = connect(server.address().port, '127.0.0.1')
    const named = key ? `x-api-key: ${key}\r\n` : ''
    socket.write(`${line} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 0\r\n${named}\r\n`)
    const answer = await text(socket)
    return [Number(answer.split(' ')[1]), ...calls.splice(0)]
  }
}

const own = () => new RateLimiter({ limit: 2, windowMs: 60_000 })

for (const name of Object.keys(hosts)) {
  for (const others of ['ignore', undefined]) {
    const mode = others ? ', others ignored' : ''

    test(`${name}${mode}: with its base a guard counts, identifies and refuses aliases`, async (t) => {
      const ask = await serve(t, name, { base: PREFIX, limiter: own(), others })
      assert.deepEqual(await ask(`POST ${PREFIX}${TRANSFER}`, ''), [401])
      assert.deepEqual(await ask(`POST ${PREFIX}${TRANSFER}?a=b`), [200, 'transferNft'])
      for (const alias of [`${TRANSFER}/`, `/${TRANSFER}`, TRANSFER.toUpperCase(), '/api/v1/nft/%74ransfer', `${TRANSFER};a`, `${TRANSFER}/;a`])
        assert.deepEqual(await ask(`POST ${PREFIX}${alias}`), [404], alias)
      assert.deepEqual(await ask(`PUT ${PREFIX}${TRANSFER}`), [405])
      assert.deepEqual(await ask(`POST ${PREFIX}${TRANSFER}`), [200, 'transferNft'])
      assert.deepEqual(await ask(`POST ${PREFIX}${TRANSFER}`), [429])
      assert.deepEqual(await ask(`GET ${PREFIX}/nothing`), others ? [200, 'other'] : [404])
    })

    test(`${name}${mode}: another spelling of the base is no way past the limit`, async (t) => {
      const ask = await serve(t, name, { base: PREFIX, limiter: own(), others })
      for (const path of ['/WALLET/v1', '//wallet/v1', '/wallet//v1', '/%77allet/v1', '/wallet;a/v1', '/wallet/v1/wallet/v1', '/wallet/v1/x', ''])
        for (const tail of [TRANSFER, `${TRANSFER}/`, `${TRANSFER};a`, '/s2s/api/v2/transfer/tokens/execute/;a', '/s2s/api/v2/transfer/tokens/execute/u1']) {
          const [, ...calls] = await ask(`POST ${path}${tail}`)
          assert.deepEqual(calls, [], path + tail)
        }
    })
  }

  test(`${name}, others ignored: without its base a guard below a prefix reaches no handler`, async (t) => {
    const ask = await serve(t, name, { limiter: own(), others: 'ignore' })
    assert.deepEqual(await ask(`POST ${PREFIX}${TRANSFER}`), [404])
    assert.deepEqual(await ask(`GET ${PREFIX}/nothing`), [200, 'other'])
    const deep = `${'/x;'.repeat(2_000)}${TRANSFER}`
    assert.deepEqual(await ask(`POST ${PREFIX}${deep}`), [404])
  })
}

test('a base that is no path in one spelling is refused at once', () => {
  for (const base of ['wallet', '/', '/wallet/', '//wallet', '/wallet?', '/a#', '/%41', '/..', '/a/./b', '/a;b', 'https://a.example/b', '/ä'])
    assert.throws(() => guardExpress({ scope: () => 'a', base, limiter: 'none' }), TypeError, base)
  for (const base of ['', '/wallet', '/a/b.c/~d_-']) guardExpress({ scope: () => 'a', base, limiter: 'none' })
})
