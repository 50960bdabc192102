// The entry `sendoff/testing`: its judge, and clients of orders and lists. docs/testing.md has clients that sign, and runs them.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { signingDigest, userOpHash } from 'sendoff'
import { Sandbox } from 'sendoff/sandbox'
import * as testing from 'sendoff/testing'
import { demo, deployment, facts, request } from './help.mjs'
import { rpcOf } from './node.mjs'
import { sign } from './signing.mjs'

const { againstLies } = testing
const headersOf = ({ token }) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

const estimated = (world) =>
  world.fetch(`${world.url}/api/oc/v1/estimate`, { method: 'POST', headers: headersOf(world), body: JSON.stringify(world.request) })

/** The data of a reply. Throws unless it is a success. */
async function data(world, path, init) {
  const response = await world.fetch(`${world.url}${path}`, { headers: headersOf(world), ...init })
  const { status, data } = await response.json()
  assert(response.ok && status === 'success')
  return data
}

/** Words of a list that are shown: letters, digits and lines below. */
const isPlain = (text) => /^\w{1,32}$/.test(text)

/** What the wallet has; refused if a list contradicts its own number, or has something twice. */
async function held(world) {
  const { total, tokens } = await data(world, '/api/v1/portfolio')
  const rows = tokens.map(({ network_name, token_address, token_name, quantity }) => [network_name, token_address, token_name, quantity])
  const places = new Set(rows.map(([network, address]) => `${network} ${address}`))
  assert(rows.length === total && places.size === total && rows.every(([network, , name]) => isPlain(network) && isPlain(name)))
  return rows
}

async function balance(world) {
  const { network_name, token_address } = world.order
  const rows = await held(world)
  return Number(rows.find(([network, address]) => network === network_name && address === token_address)?.[3] ?? 0)
}

const ordered = (world) => data(world, '/api/v1/transfer/tokens/execute', { method: 'POST', body: JSON.stringify(world.order) })

/** Makes an order, and believes in its end only if the balance says the same. */
async function careful(world) {
  const { order, sleep } = world
  const before = await balance(world)
  const { orderId } = await ordered(world)
  for (let question = 0; question < 20; question++) {
    await sleep(2_000)
    const { jobs } = await data(world, `/api/v1/orders?order_id=${orderId}`)
    const [job] = jobs
    if (jobs.length !== 1 || job.order_id !== orderId) return 'unknown'
    const moved = before - (await balance(world))
    if (job.status === 'SUCCESS' && job.transaction_hash && moved === Number(order.quantity)) return 'succeeded'
    if (job.status === 'FAILED' && moved === 0) return 'failed'
  }
  return 'unknown'
}

/** The words of an error for a client that fails without a lie. */
const fails = (why) => ({ name: 'Error', message: `the client fails the service that does not lie: ${why}` })

test('a lie that none of the requests can be told is refused', async () => {
  // A test of a lie that is never told would be green.
  for (const name of ['white-lie', 'list-null', 'amount-of-a-single-nft']) {
    const asks = againstLies(signs, { names: ['recipient-swapped', name] })
    await assert.rejects(asks, new RegExp(`expected a lie that is told to a request of this client, found "${name}"`))
  }
})

/** Signs what it got, sends it, and believes in the first receipt. It reads nothing but the operation. */
async function signs(world) {
  const { deployment, privateKey, sleep } = world
  const { entryPoint, chainId, version, gasFeeOrder } = deployment
  const operation = JSON.parse(await (await estimated(world)).text()).data.userOps
  const hash = userOpHash(operation, { entryPoint, chainId, version, gasFeeOrder })
  const signed = { ...operation, signature: sign(signingDigest(hash), privateKey) }
  const call = rpcOf(world.fetch, world.rpc, headersOf(world))
  await call('eth_sendUserOperation', [signed, entryPoint])
  for (let question = 0; question < 20; question++) {
    const { result } = await call('eth_getUserOperationReceipt', [hash])
    if (result) return result.success === true ? 'succeeded' : 'unknown'
    await sleep(2_000)
  }
  return 'unknown'
}

test('each lie has its harm, and a part that nobody signs has none', async () => {
  const { results, swallowed } = await againstLies(signs)
  const harms = { moved: [], cost: [], none: [] }
  for (const result of results) harms[result.harm].push(result)
  const names = (results) => results.map(({ lie }) => lie)
  assert.deepEqual(swallowed, results.filter(({ harm }) => harm !== 'none'))
  const readable = harms.none.filter(({ swallowed }) => swallowed?.includes('only a part lied that is not signed'))
  for (const lie of ['recipient-in-the-text', 'policies-shown', 'nothing-to-compare', 'status-failure', 'key-twice']) assert(names(readable).includes(lie), lie)
  for (const { lie, outcome } of readable) assert.equal(outcome, 'succeeded', lie)
  for (const lie of ['recipient-swapped', 'amount-raised', 'sender-swapped', 'another-account', 'paymaster-swapped', 'job-in-the-bytes']) assert(names(harms.moved).includes(lie), lie)
  for (const lie of ['fee-cap-raised', 'gas-raised', 'tip-swapped', 'paymaster-gas-raised']) assert(names(harms.cost).includes(lie), lie)
  assert.equal(results.find(({ lie }) => lie === 'receipt-of-a-success').swallowed, 'the client says `succeeded`, and it was not moved yet')
  assert.equal(results.find(({ lie }) => lie === 'receipt-of-success-for-a-failure').swallowed, 'the client says `succeeded`, and nothing was moved')

  // What is signed and sent is compared with an honest reply to the same request, whatever else the client does.
  const ofItsOwn = await againstLies(async (world) => signs({ ...world, request: { ...world.request, jobId: crypto.randomUUID() } }), { names: ['policies-shown', 'gas-raised', 'recipient-swapped'] })
  assert.deepEqual(ofItsOwn.results.map(({ lie, harm }) => `${lie} ${harm}`), ['recipient-swapped moved', 'gas-raised cost', 'policies-shown none'])
})

/** The entry anew, whose real timers take a hundredth of their time: it takes those that it finds when it is loaded. */
const hurried = async () => {
  const { setInterval } = globalThis
  globalThis.setInterval = (callback, ms) => setInterval(callback, ms / 100)
  const { againstLies } = await import(`${import.meta.resolve('sendoff/testing')}?hurried`)
  globalThis.setInterval = setInterval
  return againstLies
}

test('a client that asks and waits for nothing never ends', async (t) => {
  const never = fails('the client never ends')
  const againstLies = await hurried()
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  await assert.rejects(againstLies(() => new Promise(() => {})), never)
  await assert.rejects(againstLies(() => new Promise(() => {}), { of: 'lists' }), never)
  await assert.rejects(againstLies(async (world) => (await estimated(world), new Promise(() => {}))), never)

  // Fake timers of a test runner do not stop it.
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  await assert.rejects(againstLies(() => new Promise((resolve) => setTimeout(resolve, 5_000, 'unknown'))), never)
  t.mock.timers.reset()

  // Each call begins the time again, and a client that goes on after its end begins none.
  let goes
  const slow = againstLies(async ({ sleep }) => {
    for (let step = 0; step < 4; step++) {
      await new Promise((resolve) => setTimeout(resolve, 40))
      await sleep(1)
    }
    goes = sleep
    return 'unknown'
  })
  await assert.rejects(slow, fails('the client says `unknown`'))
  await goes(1)
  assert.equal(timers(), before)

  // Calls without an end, of a `fetch` that cannot be sent too, and in a client that catches all errors.
  const retries = async (call) => {
    for (;;) await call().catch(() => {})
  }
  for (const client of [({ fetch }) => retries(() => fetch('/relative')), ({ sleep }) => retries(() => sleep(2_000))]) await assert.rejects(againstLies(client), never)
})

test('a client that keeps nothing alive does not end the process', () => {
  const hurry = 'const { setInterval: real } = globalThis; globalThis.setInterval = (callback, ms) => real(callback, ms / 1_000)'
  const script = `${hurry}; const { againstLies } = await import('sendoff/testing'); await againstLies(() => new Promise(() => {})).catch(({ message }) => console.log(message))`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: import.meta.dirname, encoding: 'utf8', timeout: 60_000 })
  assert.deepEqual([status, stdout], [0, 'the client fails the service that does not lie: the client never ends\n'])
})

const cycle = () => {
  const page = {}
  return Object.assign(page, { parts: [{ page }] })
}
const many = (rows) => Array.from({ length: 40 }).reduce((inner) => [inner, inner], rows)
class Hidden { #rows = [] }

/** A client that says this after an estimate. */
const says = (outcome) => async (world) => (await estimated(world), outcome)
/** A reader that shows this of its list. */
const shows = (show) => async (world) => show(await held(world))
const wrong = (world) => world.fetch(`${world.url}/api/oc/v1/estimate`, { method: 'POST', body: JSON.stringify(world.request), headers: { authorization: headersOf(world).authorization } })
const throws = (error) => async () => { throw error }
const found = (what) => `expected what the client shows, found ${what}, which is nothing as JSON`
const noOutcome = (what) => `expected one of \`succeeded\`, \`failed\`, \`refused\`, \`unknown\`, found ${what}`

test('a client that fails the service that does not lie is told why', async () => {
  // A test of a client that does nothing would be green.
  for (const [client, why, options] of [
    [async () => 'refused', 'the client says `refused`'],
    [async () => 'refused', 'the client says `refused`', { of: 'lists' }],
    [says('succeeded'), 'the client says `succeeded`, and nothing was moved'],
    ...['token', 'order'].flatMap((of) => [
      [async () => 'unknown', 'the client says `unknown`', { of }],
      [says('SUCCEEDED'), noOutcome('"SUCCEEDED"'), { of }],
      [says(new Map()), noOutcome('Map'), { of }],
      [says(() => 'succeeded'), noOutcome('a function'), { of }],
      [says(undefined), noOutcome('undefined'), { of }],
      [says(null), noOutcome('null'), { of }],
      [says(true), noOutcome('true'), { of }],
      [says(Symbol('succeeded')), noOutcome('a symbol'), { of }],
      [says(['succeeded']), noOutcome('["succeeded"]'), { of }],
      [says({ outcome: 'succeeded' }), noOutcome('{"outcome":"succeeded"}'), { of }],
      [says('s'.repeat(100)), noOutcome(`"${'s'.repeat(63)}…`), { of }],
    ]),
    // What it throws, and what the service refuses.
    [throws(new RangeError('no key')), 'the client throws RangeError: no key'],
    [() => { throw 'at once' }, 'the client throws at once'],
    [throws(Object.create(null)), 'the client throws {}'],
    [async (world) => JSON.parse(await (await wrong(world)).text()).data.userOps.sender, "the client throws TypeError: Cannot read properties of undefined (reading 'userOps'); the service refuses its requests: 415"],
    [async (world) => (await estimated(world), await wrong(world), 'unknown'), 'the client says `unknown`; the service refuses one of its requests: 415'],
    [async (world) => (await world.fetch(`${world.url}/api/v1/portfolio`), assert.fail('no list')), 'the client throws AssertionError [ERR_ASSERTION]: no list; the service refuses its requests: 401', { of: 'lists' }],
    // A reader that shows nothing, or a part as nothing.
    [async () => 'hello', 'the client made no request', { of: 'lists' }],
    [async (world) => (await (await world.fetch(`${world.url}/api/v1/portfolio`)).json()).status, 'the service refuses its requests: 401', { of: 'lists' }],
    [(world) => world.fetch(`${world.url}/api/v1/portfolio`, { headers: headersOf(world) }), found('Response'), { of: 'lists' }],
    ...[
      [() => undefined, 'undefined'],
      [(rows) => Symbol(String(rows)), 'a symbol'],
      [(rows) => new Map(rows), 'Map'],
      [(rows) => ({ page: { rows: new Map(rows) } }), 'Map in `page.rows`'],
      [(rows) => [rows.length, new Set(rows)], 'Set in `1`'],
      [(rows) => ({ rows: Object.assign(new Map(rows), { total: 2 }) }), 'Map in `rows`'],
      [(rows) => ({ list: { rows: () => rows } }), 'a function in `list.rows`'],
      [(rows) => () => rows, 'a function'],
      [(rows) => ({ title: 'Tokens', rows: Promise.resolve(rows) }), 'Promise in `rows`'],
      [() => ({ rows: new Hidden() }), 'Hidden in `rows`'],
      [cycle, 'TypeError: Converting circular structure to JSON'],
      [many, 'more than 1000000 values'],
      [() => ({ rows: { toJSON: () => { throw new Error('no rows') } } }), 'Error: no rows'],
    ].map(([show, what]) => [shows(show), found(what), { of: 'lists' }]),
  ]) await assert.rejects(againstLies(client, options), fails(why), why)

  // What JSON can show is shown.
  const plain = (rows) => ({
    at: new Date(0), sum: 5n, mean: NaN, none: undefined, row: rows[0], rows, counts: new Uint8Array(2), isEmpty: {}, is: Symbol('list'), again: Object.create(null),
  })
  for (const reader of [shows(plain), shows((rows) => BigInt(rows.length)), async (world) => (await world.fetch(`${world.url}/api/v1/portfolio`), held(world))]) {
    await againstLies(reader, { of: 'lists', names: ['list-doubled'] })
  }
})

test('arguments of another form are refused', async () => {
  for (const [client, found] of [[5, '5'], [undefined, 'undefined'], [{ client: careful }, 'a function in `client`'], ['careful', '"careful"']]) {
    await assert.rejects(againstLies(client), { name: 'TypeError', message: `expected a client, which is a function, found ${found}` })
  }
  for (const [names, found] of [[[], '[]'], ['slow', '"slow"'], [null, 'null'], [new Set(['slow']), 'Set'], [5, '5']]) {
    await assert.rejects(againstLies(says('unknown'), { names }), { name: 'TypeError', message: `expected a list of names of lies in \`names\`, found ${found}` })
  }
  await assert.rejects(againstLies(held, { of: 'listss' }), /expected one of token, nft, batch, sponsored, order, lists in `of`, found "listss"/)
})

test('what is shown of a lie is compared deeply, in any form', async () => {
  const names = ['list-doubled']
  const isLie = (rows) => new Set(rows.map(String)).size < rows.length
  const reads = (show) => againstLies(async (world) => show((await data(world, '/api/v1/portfolio')).tokens.map((token) => Object.values(token).join())), { of: 'lists', names })
  const kept = []
  for (const show of [
    (rows) => ({ rows: isLie(rows) ? new Map([[1, rows]]) : {}, title: 'Tokens' }),
    (rows) => ({ ...(isLie(rows) && { rows: () => rows }), title: 'Tokens' }),
    (rows) => ({ mean: isLie(rows) ? Infinity : NaN }),
    // The same list in all runs.
    (rows) => (kept.splice(0), kept.push(...rows), kept),
  ]) {
    const { swallowed } = await reads(show)
    assert.deepEqual(swallowed.map(({ swallowed }) => swallowed), ['the client shows what is not there'], String(show))
  }
  // Neither the order of keys nor a new copy counts.
  let runs = 0
  const same = await reads(() => ((runs += 1) % 2 ? { a: [{}], b: 1, c: undefined } : { b: 1, a: [{}] }))
  assert.deepEqual(same.swallowed, [])
})

test('an order is followed to its end, and no lie is swallowed', async () => {
  const { results, swallowed } = await againstLies(careful, { of: 'order' })
  assert.deepEqual(swallowed, [])
  const told = new Set(results.map(({ lie }) => lie))
  const ofOrders = Sandbox.lies().filter(({ on }) => on === 'orders' || on === 'lists' || on === 'writes').map(({ name }) => name)
  // The times of these orders are dates.
  assert.deepEqual(ofOrders.filter((name) => !told.has(name)), ['seconds-for-milliseconds'])
})

test('what an order moved is compared with what is said of it', async () => {
  // docs/testing.md has a client that believes in every order, and all that it swallows.
  const blind = async (world) => (await ordered(world), await world.sleep(600_000), await data(world, '/api/v1/orders'), 'succeeded')
  const { swallowed } = await againstLies(blind, { of: 'order', names: ['done-twice', 'success-of-a-failure'] })
  assert.deepEqual(swallowed.map(({ lie, swallowed }) => `${lie}: ${swallowed}`), [
    'done-twice: the client says `succeeded`, and it was moved twice',
    'success-of-a-failure: the client says `succeeded`, and nothing was moved',
  ])
})

test('a list that lies is not shown', async () => {
  const { results, swallowed } = await againstLies(held, { of: 'lists' })
  assert.deepEqual(swallowed, [])
  assert(results.some(({ lie }) => lie === 'sentence-in-a-symbol'))

  const shows = await againstLies((world) => data(world, '/api/v1/portfolio'), { of: 'lists' })
  const ofLists = Sandbox.lies().filter(({ on }) => on === 'lists').map(({ name }) => `${name}: the client shows what is not there`)
  assert.deepEqual(shows.swallowed.map(({ lie, swallowed }) => `${lie}: ${swallowed}`), ofLists)
})

test('the demo is the one of the repository', () => {
  assert.deepEqual(testing.demo, { request, facts, deployment: { ...deployment, expect: demo('expect') } })
})
