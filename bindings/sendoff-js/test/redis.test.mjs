// The tests without a store. examples/node-backend has those with Redis.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { REDIS_SCRIPT, redisAnswer, redisRequest, SendoffError } from 'sendoff'
import { RedisWindows } from 'sendoff/redis'
import { skipping } from './clock.mjs'
import { issuesOf, refused, thrown } from './help.mjs'

const POLICY = { limit: 2, windowMs: 60_000 }
const PRODUCTION = { environment: 'production' }
const silence = () => new Promise(() => {})
/** A client whose store does this, whether it is sent the script or its name. */
const clientOf = (answer) => ({ evalsha: answer, eval: answer })
/** A client whose store never answers. */
const silent = clientOf(silence)

test('the constructor checks its arguments', () => {
  const wrong = () => new RedisWindows(silent, { limit: 0, windowMs: 'x' }, { environment: '' })
  assert.deepEqual(refused(wrong), ['range limit', 'type windowMs', 'format ask.environment'])
  assert.throws(() => new RedisWindows({}, POLICY, PRODUCTION), /expected a client of ioredis or node-redis/)
  // Below 6 it loses every call of a cluster, so that with `admit` nothing would be limited.
  const io = { evalsha: async () => {}, eval: async () => {}, isCluster: true, options: { enableAutoPipelining: true } }
  assert.throws(() => new RedisWindows(io, POLICY, PRODUCTION), /without `enableAutoPipelining`, or ioredis 6, found `enableAutoPipelining` with an ioredis below 6/)
  for (const other of [{ isCluster: false }, { options: { enableAutoPipelining: false } }, { options: undefined }, { waitaof: async () => {} }]) {
    new RedisWindows({ ...io, ...other }, POLICY, PRODUCTION)
  }
  for (const timeoutMs of [0, NaN, -1, 2 ** 31, '5 s'])
    assert.throws(() => new RedisWindows(silent, POLICY, { ...PRODUCTION, timeoutMs }), /expected `timeoutMs` from 1/)
  for (const timeoutMs of [1, 2 ** 31 - 1]) assert(new RedisWindows(silent, POLICY, { ...PRODUCTION, timeoutMs }))
})

test('the core checks the arguments before anything is sent', async () => {
  const never = () => assert.fail('expected nothing to be sent')
  const windows = new RedisWindows(clientOf(never), JSON.stringify(POLICY), PRODUCTION)
  for (const [kind, asked, issue] of [
    ['admit', [''], 'format ask.scope'],
    ['touch', [5], 'type ask.scope'],
    ['admit', ['shop', 3], 'range ask.cost'],
    ['peek', ['shop', '1'], 'type ask.cost'],
  ]) assert.deepEqual(issuesOf(await thrown(() => windows[kind](...asked))), [issue])
})

test('a call to a silent store rejects in time, and onSilence is called', async () => {
  let silences = 0
  const options = { ...PRODUCTION, timeoutMs: 20, onSilence: () => { silences++ } }
  for (const each of [{ ...PRODUCTION, timeoutMs: 20 }, options]) {
    const windows = new RedisWindows(silent, POLICY, each)
    for (const call of [windows.admit('shop'), windows.touch('shop'), windows.peek('shop')])
      await assert.rejects(call, { message: 'expected the store to answer within 20 ms, found no answer' })
  }
  assert.equal(silences, 3)
  const broken = clientOf(async () => { throw new Error('broken') })
  await assert.rejects(new RedisWindows(broken, POLICY, options).admit('shop'), /broken/)
  assert.equal(silences, 3)
})

/** A store with the clock of this process plus `ahead`, and with its requests. A call takes the time `wait` of the clock that `skip` moves. */
function scripted(answer, skip = () => {}) {
  const store = { ahead: 7_200_000, wait: 0, asked: [] }
  store.clock = () => Math.floor(performance.now() + store.ahead)
  store.evalsha = async (_sha, _keys, key, kind, ...rest) => {
    const at = store.clock()
    const deadline = rest[7] === undefined ? undefined : Number(rest[7])
    store.asked.push({ key, kind, cost: Number(rest[0]), at, deadline })
    skip(store.wait)
    return answer(at, kind, deadline)
  }
  store.eval = store.evalsha
  return store
}

test('a call has a deadline by the store\'s clock, known from its first answer: a slow one does not move it, a clock that was set does', async (t) => {
  const store = scripted((at, _kind, deadline) => (at >= deadline ? [2, 0, at, at, 0] : [2, 1, at, at, 1]), skipping(t))
  const windows = new RedisWindows(store, POLICY, { ...PRODUCTION, timeoutMs: 30_000 })
  const left = async () => {
    await windows.admit('shop')
    const { at, deadline } = store.asked.at(-1)
    return deadline - at
  }
  await left()
  assert.deepEqual([store.asked.length, store.asked[0].deadline], [2, -8.64e15])
  store.wait = 500
  await left()
  store.wait = 0
  const known = await left()
  assert(known > 29_900 && known <= 30_000, String(known))
  for (const ahead of [3_600_000, 10_800_000, 10_799_500]) {
    store.ahead = ahead
    await left()
    const set = await left()
    assert(set > 29_900 && set <= 30_000, String(set))
  }
})

test('a call that the store takes up too late is sent three times, within one time limit', async (t) => {
  const late = (at) => [2, 0, at, at, 0]
  const store = scripted(late)
  const message = 'expected the store to take the call up within 5000 ms, found that it was late'
  await assert.rejects(new RedisWindows(store, POLICY, { ...PRODUCTION, timeoutMs: 5_000 }).admit('shop'), { message })
  assert.deepEqual(store.asked.map(({ kind }) => kind), ['admit', 'admit', 'admit'])
  // The second try has the rest of the time, however long the process has been running.
  const skip = skipping(t)
  skip(2_000)
  let calls = 0
  const evalsha = async () => (calls++ === 0 ? (skip(250), late(1_000)) : silence())
  const begun = performance.now()
  await assert.rejects(new RedisWindows(clientOf(evalsha), POLICY, { ...PRODUCTION, timeoutMs: 400 }).admit('shop'), /within 400 ms/)
  assert(performance.now() - begun < 4_000)
})

test('a day that has begun needs no further touch until its midnight, and a peek does not begin it', async (t) => {
  const skip = skipping(t)
  const DAY = 86_400_000
  for (const [dayOffsetMinutes, ahead] of [[undefined, 0], [330, -330 * 60_000], [-720, 720 * 60_000]]) {
    const policy = { ...POLICY, ...(dayOffsetMinutes && { dayOffsetMinutes }) }
    const store = scripted((at, kind) => [0, kind === 'touch' ? 0 : 1, at, at, 1])
    // 700 ms before the policy's midnight.
    store.ahead = 10 * DAY + ahead - 700 - performance.now()
    const windows = new RedisWindows(store, policy, { ...PRODUCTION, timeoutMs: 30_000 })
    await windows.peek('shop')
    for (let touch = 0; touch < 3; touch++) await windows.touch('shop')
    await windows.admit('other')
    await windows.touch('other')
    assert.deepEqual(store.asked.map(({ kind }) => kind), ['peek', 'touch', 'admit'])
    skip(750)
    for (let touch = 0; touch < 2; touch++) await windows.touch('shop')
    assert.equal(store.asked.length, 4)
  }
})

test('a window that midnight carried over does not begin the day', async () => {
  const DAY = 86_400_000
  const store = scripted((at, kind) => [2, kind === 'touch' ? 0 : 1, at, 10 * DAY - 1, 1])
  store.ahead = 10 * DAY - performance.now()
  const windows = new RedisWindows(store, { ...POLICY, midnight: 'carry' }, { ...PRODUCTION, timeoutMs: 30_000 })
  await windows.admit('shop')
  for (let touch = 0; touch < 2; touch++) await windows.touch('shop')
  assert.deepEqual(store.asked.map(({ kind }) => kind), ['admit', 'touch', 'touch'])
})

test('a full window is refused without the store until it ends, and a batch is the store\'s to judge', async (t) => {
  const skip = skipping(t)
  const policy = { limit: 2, windowMs: 1_000 }
  let start
  const store = scripted((at) => {
    start ??= at
    return at < start + 1_000 ? [2, -1, at, start, 2] : [1, 1, at, at, 1]
  })
  const windows = new RedisWindows(store, policy, { ...PRODUCTION, timeoutMs: 30_000 })
  for (const call of ['admit', 'admit', 'peek']) {
    assert.deepEqual(await windows[call]('shop'), { admitted: false, phase: 'same', retryAfter: 1 })
  }
  assert.equal(store.asked.length, 1)
  assert.equal((await windows.admit('shop', 2)).admitted, false)
  assert.deepEqual(store.asked.map(({ cost }) => cost), [1, 2])
  // Other scopes are asked for.
  await windows.peek('other')
  assert.equal(store.asked.length, 3)
  skip(1_050)
  assert.equal((await windows.admit('shop')).admitted, true)
})

test('at most 65,536 scopes are remembered, and the oldest is forgotten first', async () => {
  const store = scripted((at) => [0, 0, at, at, 0])
  const windows = new RedisWindows(store, POLICY, { ...PRODUCTION, timeoutMs: 30_000 })
  for (let scope = 0; scope <= 2 ** 16; scope++) await windows.touch(`shop ${scope}`)
  const before = store.asked.length
  for (const [scope, asked] of [[2 ** 16, 0], [1, 0], [0, 1]]) {
    await windows.touch(`shop ${scope}`)
    assert.equal(store.asked.length - before, asked)
  }
})

test('a batch that is too large does not make single calls wait', async () => {
  const store = scripted((at) => (store.asked.at(-1).cost === 2 ? [2, -1, at, at, 1] : [2, 1, at, at, 2]))
  const windows = new RedisWindows(store, POLICY, { ...PRODUCTION, timeoutMs: 30_000 })
  assert.equal((await windows.admit('shop', 2)).admitted, false)
  assert.equal((await windows.admit('shop')).admitted, true)
})

test('both clients send one key and all arguments, and the script to a store that does not know it', async () => {
  const sent = []
  const unknown = async () => { throw new Error('NOSCRIPT No matching script') }
  const kept = (name) => async (script, ...rest) => {
    sent.push([name, script, ...(name === 'ioredis' ? [rest[0], rest.slice(1)] : [rest[0].keys.length, [...rest[0].keys, ...rest[0].arguments]])])
    return name === 'ioredis' && script === REDIS_SCRIPT.sha1 ? unknown() : [2, 1, 1_000, 1_000, 1]
  }
  const [io, node] = [kept('ioredis'), kept('node-redis')]
  for (const client of [clientOf(io), { evalSha: node, eval: node }, { evalSha: unknown, eval: node }]) {
    await new RedisWindows(client, POLICY, PRODUCTION).peek('shop')
  }
  const { key, arguments: rest } = redisRequest(POLICY, { ...PRODUCTION, scope: 'shop', kind: 'peek' })
  const { sha1, text } = REDIS_SCRIPT
  assert.deepEqual(sent, [
    ...[['ioredis', sha1], ['ioredis', text], ['node-redis', sha1], ['node-redis', text]].map((call) => [...call, 1, [key, ...rest]]),
  ])
})

test('an error of the client is passed on, and one of the script is about its window', async () => {
  for (const error of [new Error('NOT NOSCRIPT'), new Error('a SENDOFF'), null, 'lost']) {
    const lost = async () => { throw error }
    const client = { evalsha: lost, eval: () => assert.fail('expected no text') }
    assert.equal(await thrown(() => new RedisWindows(client, POLICY, PRODUCTION).admit('shop')), error)
  }
  const cause = new Error('SENDOFF expected `start count`')
  const spoiled = async () => { throw cause }
  const error = await thrown(() => new RedisWindows(clientOf(spoiled), POLICY, PRODUCTION).admit('shop'))
  assert.deepEqual([error.name, error.message, error.cause], ['WindowError', cause.message, cause])
})

test('an answer that came while the process was busy is in time', async () => {
  const came = new Int32Array(new SharedArrayBuffer(4))
  const code = `
    const { parentPort, workerData: came } = require('node:worker_threads')
    parentPort.once('message', () => {
      parentPort.postMessage([0, 1, 1_000, 1_000, 1])
      Atomics.store(came, 0, 1)
      Atomics.notify(came, 0)
    })`
  const store = new Worker(code, { eval: true, workerData: came })
  await once(store, 'online')
  const answer = async () => {
    store.postMessage('asked')
    return (await once(store, 'message'))[0]
  }
  const windows = new RedisWindows(clientOf(answer), POLICY, { ...PRODUCTION, timeoutMs: 20 })
  // From here the event loop runs timers first, and handles input from outside after them.
  await new Promise(setImmediate)
  const call = windows.admit('shop')
  Atomics.wait(came, 0, 0)
  Atomics.wait(came, 0, 1, 40)
  assert.equal((await call).admitted, true)
})

test('every verdict is the core\'s, of the first answer in a window and of the ones after it', async () => {
  const policies = [{ limit: 3, windowMs: 60_000 }, { limit: 3, windowMs: 60_000, midnight: 'carry' }]
  // Before midnight, when a window that is truncated ends early; then the next window, and a smaller count as after a loss.
  const [start, next] = [86_400_000 - 30_000, 86_400_000 + 5_000]
  const story = [
    [0, 1, start, start, 1], [2, 1, start + 1, start, 2], [2, 1, start + 29_000, start, 3], [2, 1, start + 29_999, start, 3],
    [0, 1, next, next, 1], [2, 2, next + 999, next, 3], [2, 1, next + 1_000, next, 2], [3, 1, next - 5, next, 3],
    [2, 1, next + 59_999, next, 3], [1, 1, next + 60_000, next + 60_000, 1], [2, 1, next + 60_001, next + 60_000, 2],
  ]
  for (const policy of policies) {
    const answers = [...story]
    const evalsha = async () => answers.shift().map(String)
    const windows = new RedisWindows(clientOf(evalsha), policy, PRODUCTION)
    for (const numbers of story) assert.deepEqual(await windows.admit('shop'), redisAnswer(policy, numbers).verdict)
  }
})

test('a scope\'s key and arguments are the core\'s, for every call', async () => {
  const sent = []
  const evalsha = async (_sha, _keys, ...rest) => {
    sent.push(rest)
    return rest[1] === 'touch' ? [2, 0, 2_000, 1_000, 0] : [2, Number(rest[2]), 2_000, 1_000, 2]
  }
  const options = { ...PRODUCTION, secret: 'secret' }
  const windows = new RedisWindows(clientOf(evalsha), POLICY, options)
  for (const scope of ['shop', 'other', 'shop']) {
    for (const kind of ['peek', 'admit', 'peek', 'admit']) await windows[kind](scope)
    await windows.admit(scope, 2)
  }
  assert.equal(sent.length, 15)
  for (const [index, [key, ...rest]] of sent.entries()) {
    const [scope, kind, cost] = [index >= 5 && index < 10 ? 'other' : 'shop', rest[0], index % 5 === 4 ? 2 : 1]
    const deadline = kind === 'admit' ? { deadline: Number(rest[8]) } : {}
    const asked = redisRequest(POLICY, { ...options, scope, kind, cost, ...deadline })
    assert.deepEqual({ key, arguments: rest }, asked)
  }
})

test('an answer that the script cannot give is an error, and no problem of the caller', async () => {
  for (const answer of [null, 'OK', [], [0, 1, 2], [9, 1, 0, 0, 1], ['x', 1, 0, 0, 1]]) {
    const windows = new RedisWindows({ evalSha: async () => answer, eval: async () => answer }, POLICY, PRODUCTION)
    const error = await thrown(() => windows.admit('shop'))
    assert.match(error.message, /^the script's answer: numbers.*: expected .*, found ./)
    assert.equal(error.name, 'WindowError')
    assert(!SendoffError.is(error) && SendoffError.is(error.cause))
    if (!Array.isArray(answer)) assert.throws(() => redisAnswer(POLICY, []), { message: error.cause.message })
  }
})
