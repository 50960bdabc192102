// A whole host from functions of `sendoff/http`: who calls, what they may use, what the core answers, and a backend.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { OPERATIONS, operationPath } from 'sendoff'
import * as http from 'sendoff/http'
import * as help from './help.mjs'

const { asked, facts, listening } = help
const { answerExpress, answerFetch, credentials, errorsExpress, expectPermitted, guardExpress, guardFetch, Refused } = http
const request = JSON.stringify(help.request)
const POST = { method: 'POST', body: request, headers: { 'content-type': 'application/json' } }
const CATALOGUE = {
  chains: [{ caip2Id: 'eip155:80002', name: 'POLYGON_TESTNET_AMOY', net: 'test', enabled: true }],
  collections: [{ caip2Id: 'eip155:80002', collectionAddress: '0xf19f9c5e34b713ea8c8b9283324f62c6d0813f90', whitelisted: true }],
}

/** The credentials of two applications, with what a caller is beside its scope. */
const known = (kind, ...scopes) => (credential) => scopes.includes(credential.split('-')[0]) && credential.endsWith(kind) ? { scope: credential.split('-')[0], kind } : undefined
const lookups = { token: known('token', 'shop', 'game'), key: known('key', 'shop', 'game'), serverKey: known('secret', 'shop', 'game') }
const sides = (side) => OPERATIONS.filter((row) => row.side === side)
const paramsOf = ({ parameters }) => Object.fromEntries(parameters.map((name) => [name, 'a b']))

test('who may call what: each operation with each pair of credentials', async () => {
  const keys = [undefined, 'shop-key', 'game-key', 'shop-secret', 'game-secret', 'nobody']
  const tokens = [undefined, 'Bearer shop-token', 'Bearer game-token', 'Bearer shop-key', 'Bearer', 'Basic abc', 'Bearer nobody']
  for (const scope of [credentials(lookups), credentials(Object.fromEntries(Object.entries(lookups).map(([name, find]) => [name, async (each) => find(each)])))]) {
    const guard = guardFetch({ scope, limiter: 'none' }, (_, { caller, scope, operation, params }) => Response.json([scope, caller, operation, params]))
    const callers = async (row) => {
      const found = {}
      for (const key of keys)
        for (const token of tokens) {
          const headers = { ...(key && { 'x-api-key': key }), ...(token && { authorization: token }), 'content-type': 'application/json' }
          const { status, body } = await asked(guard, operationPath(row.id, paramsOf(row)), { method: row.method, headers })
          const [scope, caller, ...passed] = status === 200 ? body : []
          if (scope) {
            assert.deepEqual([caller.scope, ...passed], [scope, row.id, paramsOf(row)])
            found[`${key} ${token}`] = `${scope} ${caller.kind}`
          } else assert.equal(status, 401)
        }
      return found
    }
    const client = {
      'undefined Bearer shop-token': 'shop token',
      'undefined Bearer game-token': 'game token',
      'shop-key Bearer shop-token': 'shop token',
      'game-key Bearer game-token': 'game token',
    }
    const alone = { 'shop-key undefined': 'shop key', 'game-key undefined': 'game key' }
    for (const row of sides('client')) assert.deepEqual(await callers(row), /^supported/.test(row.id) ? { ...client, ...alone } : client, row.id)
    const server = Object.fromEntries(['shop', 'game'].flatMap((name) => [
      [`${name}-secret undefined`, `${name} secret`],
      [`${name}-secret Basic abc`, `${name} secret`],
      [`${name}-secret Bearer ${name}-token`, `${name} secret`],
    ]))
    for (const row of sides('server')) assert.deepEqual(await callers(row), server, row.id)
  }
})

test('without a function no credential of a kind is accepted', async () => {
  const guard = guardFetch({ scope: credentials({ token: lookups.token }), limiter: 'none' }, () => Response.json({}))
  const status = async (headers) => (await asked(guard, '/api/v1/supported/networks', { headers })).status
  assert.deepEqual([await status({ authorization: 'Bearer shop-token' }), await status({ 'x-api-key': 'shop-key' })], [200, 401])
  assert.equal(await status({ authorization: 'Bearer shop-token', 'x-api-key': 'shop-key' }), 401)
})

test('a directory that does not answer is 503, and nothing is counted', async () => {
  const token = () => { throw new Refused({ refused: 'users-lost' }) }
  const limiter = { admit: () => assert.fail('counted'), touch: () => assert.fail('counted') }
  const guard = guardFetch({ scope: credentials({ token }), limiter }, () => Response.json({}))
  const init = { method: 'POST', headers: { authorization: 'Bearer a' } }
  const { status, header, body } = await asked(guard, '/api/v1/nft/transfer', init)
  assert.deepEqual([status, header('retry-after')], [503, '1'])
  assert.equal(body.error.message, 'the service that knows the users does not answer: the call was not carried out')
})

test('every reply has the id of its request or of the host\'s own tracing, and so have verdicts', async () => {
  const told = []
  const limiter = { admit: () => ({ admitted: false, retryAfter: 5, phase: 'held' }), touch() {} }
  const handle = () => Response.json({}, { headers: { 'x-request-id': 'of-the-handler' } })
  const theirs = { 'x-request-id': 'theirs' }
  for (const [traceId, headers, expected, line = 'POST /api/v1/nft/transfer', before] of [
    [() => 'of-the-span', {}, ['of-the-span', 'of-the-span']],
    [() => 'of-the-span', theirs, ['of-the-span', 'theirs']],
    [() => undefined, theirs, ['theirs', 'theirs']],
    [() => 'two words', theirs, ['theirs', 'theirs']],
    // A log has asked for it before, so it stays.
    [() => 'of-the-span', theirs, ['theirs', 'theirs'], undefined, http.traceId],
    [undefined, theirs, [undefined, 'theirs'], 'GET /api/v1/orders'],
    [undefined, theirs, ['theirs', 'theirs'], 'GET /nowhere'],
  ]) {
    const [method, path] = line.split(' ')
    const request = new Request(`http://localhost${path}`, { method, headers })
    before?.(request)
    const guard = guardFetch({ scope: () => 'shop', limiter, traceId, onVerdict: ({ traceId }) => told.push(traceId) }, handle)
    const response = await guard(request)
    assert.deepEqual([(await response.json()).error?.trace_id, response.headers.get('x-request-id')], expected, line)
  }
  assert.deepEqual(told, ['of-the-span', 'of-the-span', 'theirs', 'theirs', 'theirs'])
})

test('the core answers, and what is not enabled is refused before the facts are asked for', async () => {
  let times = 0
  const answers = { facts: ({ caller }, { details }) => (times++, assert.equal(details.caip2Id, 'eip155:80002'), { ...facts, userSWA: caller.userSWA }), catalogue: async () => CATALOGUE }
  const scope = () => ({ scope: 'shop', userSWA: facts.userSWA })
  const guard = guardFetch({ scope, limiter: 'none' }, answerFetch(answers, (_, { operation }) => Response.json({ operation })))
  const { status, body } = await asked(guard, '/api/oc/v1/estimate', POST)
  assert.deepEqual([status, body.data.callData.userSWA, times], [200, facts.userSWA, 1])
  const other = { ...POST, body: request.replace('eip155:80002', 'eip155:1') }
  const { status: refused, body: { error } } = await asked(guard, '/api/oc/v1/estimate', other)
  assert.deepEqual([refused, error.errorCode, error.message, times], [400, 'ER-TECH-0005', 'the chain `eip155:1` is not enabled for this application', 1])
  const network = [{ network_name: 'POLYGON_TESTNET_AMOY', chain_id: '80002' }]
  for (const [path, expected] of [['supported/networks', { status: 'success', data: { network } }], ['orders', { operation: 'orders' }]]) {
    const { status, body } = await asked(guard, `/api/v1/${path}`)
    assert.deepEqual([status, body], [200, expected])
  }
  assert.throws(() => expectPermitted(CATALOGUE, { type: 'TOKEN_TRANSFER', details: { ...JSON.parse(request).details, tokenAddress: '' } }), { name: 'SendoffError' })
})

/** A server of Node behind a guard, without a framework: 204 for what is no operation. */
function serving(t, service, onError) {
  const [guard, answers, failed] = [guardExpress({ scope: () => 'shop', limiter: 'none', others: 'ignore' }), answerExpress(service), errorsExpress({ onError })]
  return listening(t, createServer((request, response) => {
    const next = (error) => (error ? failed(error, request, response) : response.writeHead(204).end())
    guard(request, response, () => answers(request, response, next))
  }))
}

test('an error of the host is told once, and a reply does not show it', async (t) => {
  const told = []
  const service = { facts: () => { throw new Error('canary') }, catalogue: () => CATALOGUE }
  const url = await serving(t, service, (error) => told.push(error.message))
  const response = await fetch(`${url}/api/oc/v1/estimate`, POST)
  const text = await response.text()
  assert.deepEqual([response.status, told, text.includes('canary')], [500, ['canary'], false])
  assert.equal((await fetch(`${url}/healthz`)).status, 204)
  // Facts are the host's, so a problem in them is not the caller's.
  const wrong = await serving(t, { facts: () => ({ ...facts, userSWA: '0x' }), catalogue: () => CATALOGUE }, () => told.push('facts'))
  assert.equal((await fetch(`${wrong}/api/oc/v1/estimate`, POST)).status, 500)
  assert.deepEqual(told, ['canary', 'facts'])
})
