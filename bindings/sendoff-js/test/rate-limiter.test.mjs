import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateLimiter, admit, peek, touch } from 'sendoff'
import { refused } from './help.mjs'

const DAY = 86_400_000
const POLICY = { limit: 2, windowMs: 60_000 }

test('it answers like the functions, for each caller', () => {
  // A small generator of random numbers with a fixed seed.
  let seed = 1
  const random = (below) => ((seed = (seed * 48_271) % 0x7fffffff), seed % below)
  for (const policy of [POLICY, { ...POLICY, midnight: 'carry', dayOffsetMinutes: 330 }, { ...POLICY, holdMs: 5 }]) {
    const limiter = new RateLimiter(policy)
    const windows = new Map()
    let now = 1_000 * DAY
    for (let step = 0; step < 3_000; step++) {
      const scope = `caller ${random(5)}`
      const window = windows.get(scope) ?? null
      // Steps within the hold time, back and forth, and sometimes a day forward.
      now += random(50) === 0 ? DAY - random(90_000) : random(20_000) - random(4)
      const cost = 1 + random(2)
      if (random(4) === 0) {
        const touched = touch(policy, window, now)
        windows.set(scope, touched)
        assert.deepEqual(limiter.touch(scope, now), touched)
      } else {
        const { window: after, verdict } = admit(policy, window, now, cost)
        assert.deepEqual(limiter.peek(scope, now, cost), peek(policy, window, now, cost))
        assert.deepEqual(limiter.admit(scope, now, cost), verdict)
        windows.set(scope, after)
      }
    }
  }
})

test('callers of past days are dropped when the clock can no longer step back to them', () => {
  for (const [policy, midnight] of [
    [POLICY, 10 * DAY],
    // The day of a policy with an offset ends at its own midnight.
    [{ ...POLICY, dayOffsetMinutes: 330 }, 10 * DAY - 330 * 60_000],
  ]) {
    const limiter = new RateLimiter(policy)
    for (let caller = 0; caller < 1_000; caller++) limiter.touch(`${caller}`, midnight - DAY + caller)
    limiter.touch('late', midnight - 1)
    assert.equal(limiter.size, 1_001)
    limiter.touch('first', midnight + 60_000 - 1)
    assert.equal(limiter.size, 1_002)
    limiter.touch('second', midnight + 60_000)
    assert.deepEqual(limiter.snapshot(), [['first', midnight + 59_999, 0], ['second', midnight + 60_000, 0]])
  }
  // A window that midnight carried over is kept until its end.
  const carrying = new RateLimiter({ ...POLICY, midnight: 'carry', holdMs: 0 })
  for (const [scope, before] of [['a', 1_000], ['b', 60_000], ['c', 0]]) carrying.touch(scope, 10 * DAY - before)
  assert.deepEqual(carrying.snapshot().map(([scope]) => scope), ['a', 'c'])
})

test('a call costs the same with a hundred thousand callers, around midnight too', () => {
  const limiter = new RateLimiter(POLICY)
  const midnight = 10 * DAY
  /** The time of the processor, which does not depend on what else the machine does. */
  const seconds = (run) => {
    const begun = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1e6
  }
  const rows = Array.from({ length: 100_000 }, (_, caller) => [`${caller}`, midnight, 1])
  const restored = seconds(() => limiter.restore(rows))
  // Callers of yesterday can be dropped a minute after midnight, and the clock moves around that time.
  const times = [60_000, 59_999].map((after) => midnight + after)
  const called = seconds(() => { for (let call = 0; call < 5_000; call++) limiter.touch('a', times[call % 2]) })
  const steady = seconds(() => { for (let call = 0; call < 5_000; call++) limiter.touch('a', times[0]) })
  // Each takes about a tenth of a second. A scan of all callers takes milliseconds.
  for (const took of [restored, called, steady]) assert(took < 3, `${took} s`)
  assert.equal(limiter.size, 100_001)
})

test('a snapshot is plain sorted data, and restores the same state', () => {
  const limiter = new RateLimiter(POLICY)
  for (const scope of ['b', 'ä', 'a', '__proto__']) limiter.admit(scope, 5)
  const snapshot = JSON.parse(JSON.stringify(limiter.snapshot()))
  assert.deepEqual(snapshot, [['__proto__', 5, 1], ['a', 5, 1], ['b', 5, 1], ['ä', 5, 1]])
  // The first and the last time, and the largest count.
  snapshot.push(['ä a', -8.64e15, 0], ['ä b', 8.64e15, 2 ** 21 - 1])
  const other = new RateLimiter(POLICY)
  other.admit('z', 5)
  other.restore(snapshot)
  assert.deepEqual(other.snapshot(), snapshot)
  assert.equal(other.admit('a', 6).remaining, 0)
})

test('an invalid snapshot changes nothing', () => {
  const limiter = new RateLimiter(POLICY)
  limiter.admit('a', 5)
  const before = limiter.snapshot()
  for (const other of [null, {}, 'x', undefined, 5n]) assert.deepEqual(refused(() => limiter.restore(other)), ['type'])
  const rows = [['b', 1, 1], 5, ['c', 1], [5, '1', -1], ['', 8.64e15 + 2, 1.5], ['b', -8.64e15, 2 ** 21]]
  assert.throws(() => limiter.restore(rows), ({ issues }) => {
    assert.deepEqual(issues.map(({ code, path, message }) => [code, path, message]), [
      ['type', '1', 'expected a row of scope, start and count, found a number'],
      ['type', '2', 'expected a row of scope, start and count, found an array'],
      ['type', '3.0', 'expected a scope, found a number'],
      ['type', '3.1', 'expected an integer, found text'],
      ['range', '3.2', 'expected an integer from 0 to 2097151, found -1'],
      ['format', '4.0', 'expected a scope, found an empty text'],
      ['range', '4.1', 'expected an integer from -8640000000000000 to 8640000000000000, found 8640000000000002'],
      ['type', '4.2', 'expected an integer, found a fractional number'],
      ['duplicate', '5.0', 'expected each scope once, found it twice'],
      ['range', '5.2', 'expected an integer from 0 to 2097151, found 2097152'],
    ])
    return true
  })
  assert.throws(() => limiter.restore({}), { name: 'SendoffError', message: 'expected a snapshot, an array, found an object' })
  assert.deepEqual(limiter.snapshot(), before)
})

test('the core checks the arguments', () => {
  assert.deepEqual(refused(() => new RateLimiter({ limit: 0, windowMs: 'x' })), ['range limit', 'type windowMs'])
  const limiter = new RateLimiter(JSON.stringify(POLICY))
  assert.deepEqual(refused(() => limiter.admit('', 0)), ['format'])
  assert.throws(() => limiter.admit('', 0), { message: 'expected a scope, found an empty text' })
  for (const call of ['admit', 'touch', 'peek']) assert.deepEqual(refused(() => limiter[call]('a', 5n)), ['type now'])
  for (const call of ['admit', 'peek']) assert.deepEqual(refused(() => limiter[call]('a', 0, 1n)), ['type cost'])
  assert.deepEqual(refused(() => limiter.touch(5, 0)), ['type'])
  assert.deepEqual(refused(() => limiter.admit('a', NaN)), ['type now'])
  assert.deepEqual(refused(() => limiter.peek('a', 0, 3)), ['range cost'])
  assert.equal(limiter.size, 0)
})
