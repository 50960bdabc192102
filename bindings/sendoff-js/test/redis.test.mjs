// The tests without a store. examples/node-backend has those with Redis.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { redisAnswer, redisRequest, SendoffError } from 'sendoff'
import { RedisWindows } from 'sendoff/redis'

const POLICY = { limit: 2, windowMs: 60_000 }
const PRODUCTION = { environment: 'production' }
const silence = () => new Promise(() => {})
/** A client whose store never answers. */
const silent = { evalsha: silence, eval: silence }

const caught = (promise) => promise.then(() => assert.fail('expected an error'), (error) => error)
const issues = ({ issues }) => issues.map(({ code, path }) => `${code} ${path}`)

test('the constructor checks its arguments', () => {
  assert.throws(() => new RedisWindows(silent, { limit: 0, windowMs: 'x' }, { environment: '' }), (error) => {
    assert.deepEqual(issues(error), ['range limit', 'type windowMs', 'format ask.environment'])
    return SendoffError.is(error)
  })
  assert.throws(() => new RedisWindows({}, POLICY, PRODUCTION), /expected a client of ioredis or node-redis/)
  for (const timeoutMs of [0, NaN, -1, 2 ** 31, '5 s'])
    assert.throws(() => new RedisWindows(silent, POLICY, { ...PRODUCTION, timeoutMs }), /expected `timeoutMs` from 1/)
})

test('the core checks the arguments before anything is sent', async () => {
  const never = () => assert.fail('expected nothing to be sent')
  const windows = new RedisWindows({ evalsha: never, eval: never }, JSON.stringify(POLICY), PRODUCTION)
  const refused = async (call) => {
    const error = await caught(call)
    assert(SendoffError.is(error), String(error.stack))
    return issues(error)
  }
  assert.deepEqual(await refused(windows.admit('')), ['format ask.scope'])
  assert.deepEqual(await refused(windows.touch(5)), ['type ask.scope'])
  assert.deepEqual(await refused(windows.admit('shop', 3)), ['range ask.cost'])
  assert.deepEqual(await refused(windows.peek('shop', '1')), ['type ask.cost'])
})

test('a call to a silent store rejects in time', async () => {
  const windows = new RedisWindows(silent, POLICY, { ...PRODUCTION, timeoutMs: 20 })
  for (const call of [windows.admit('shop'), windows.touch('shop'), windows.peek('shop')])
    await assert.rejects(call, { message: 'expected the store to answer within 20 ms, found no answer' })
})

test('onSilence is called if the store does not answer', async () => {
  let silences = 0
  const options = { ...PRODUCTION, timeoutMs: 20, onSilence: () => { silences++ } }
  const windows = new RedisWindows(silent, POLICY, options)
  for (const call of [windows.admit('shop'), windows.touch('shop')]) await assert.rejects(call)
  assert.equal(silences, 2)
  const broken = async () => { throw new Error('broken') }
  await assert.rejects(new RedisWindows({ evalsha: broken, eval: broken }, POLICY, options).admit('shop'), /broken/)
  assert.equal(silences, 2)
})

test('a call has a deadline by the store\'s clock, which is known from the first answer', async () => {
  const asked = []
  // A store whose clock is two hours ahead, and that behaves like the script.
  const clock = () => Math.floor(performance.now()) + 7_200_000
  const evalsha = async (_sha, _keys, _key, ...rest) => {
    const [at, deadline] = [clock(), rest[8] === undefined ? undefined : Number(rest[8])]
    asked.push({ kind: rest[0], at, deadline })
    return deadline !== undefined && at >= deadline ? [2, 0, at, at, 0] : [2, 1, at, at, 1]
  }
  const windows = new RedisWindows({ evalsha, eval: evalsha }, POLICY, { ...PRODUCTION, timeoutMs: 1_000 })
  assert.equal((await windows.admit('shop')).admitted, true)
  assert.equal((await windows.admit('shop')).admitted, true)
  const [first, ...others] = asked
  assert.deepEqual([first.deadline, others.length], [-8.64e15, 2])
  for (const { at, deadline } of others) assert(deadline > at + 800 && deadline <= at + 1_000, String(deadline - at))
})

test('an answer that came while the process was busy is in time', async () => {
  const busy = (ms) => { for (const end = performance.now() + ms; performance.now() < end; ); }
  const outside = promisify(randomBytes)
  const answer = async () => {
    await outside(8)
    return [0, 1, 1_000, 1_000, 1]
  }
  const windows = new RedisWindows({ evalsha: answer, eval: answer }, POLICY, { ...PRODUCTION, timeoutMs: 20 })
  // From here the event loop runs timers first, and handles input from outside after them.
  await new Promise(setImmediate)
  const call = windows.admit('shop')
  busy(40)
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
    const windows = new RedisWindows({ evalsha, eval: evalsha }, policy, PRODUCTION)
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
  const windows = new RedisWindows({ evalsha, eval: evalsha }, POLICY, options)
  for (const scope of ['shop', 'other', 'shop']) {
    for (const kind of ['peek', 'admit', 'peek', 'admit']) await windows[kind](scope)
    await windows.admit(scope, 2)
  }
  assert.equal(sent.length, 15)
  for (const [index, [key, ...rest]] of sent.entries()) {
    const [scope, kind, cost] = [index >= 5 && index < 10 ? 'other' : 'shop', rest[0], Number(rest[1])]
    const deadline = kind === 'admit' ? { deadline: Number(rest[8]) } : {}
    const asked = redisRequest(POLICY, { ...options, scope, kind, cost, ...deadline })
    assert.deepEqual({ key, arguments: rest }, asked)
  }
})

test('an answer that the script cannot give is an error, and no problem of the caller', async () => {
  for (const answer of [null, 'OK', [], [0, 1, 2], [9, 1, 0, 0, 1], ['x', 1, 0, 0, 1]]) {
    const windows = new RedisWindows({ evalSha: async () => answer, eval: async () => answer }, POLICY, PRODUCTION)
    const error = await caught(windows.admit('shop'))
    assert.match(error.message, /^the script's answer: numbers.*: expected .*, found ./)
    assert.equal(error.name, 'WindowError')
    assert(!SendoffError.is(error))
  }
})
