import assert from 'node:assert/strict'
import { test } from 'node:test'

// The memory of every instance of the core, to damage it. The package does not expose it.
const memories = []
WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(...args) {
    super(...args)
    if (this.exports.call) memories.push(this.exports.memory)
    else unpacked += 1
  }
}
let unpacked = 0

process.env.SENDOFF_BACKEND = 'wasm'
const { RateLimiter, backend, readText } = await import('sendoff')
const { unwinds } = await import('./help.mjs')

const works = () => assert.equal(readText('quantity', '0x10').decimal, '16')
const spoil = () => new Uint8Array(memories.at(-1).buffer).fill(0xff)

test('nothing is compiled before the first call', () => {
  assert.equal(backend(), 'wasm')
  assert.equal(memories.length, 0)
  assert.equal(unpacked, 0)
  works()
  works()
  assert.equal(memories.length, 1)
  assert.equal(unpacked, 1)
})

test('after a stack overflow in the wasm the next call succeeds', () => {
  unwinds(works)
})

/** Makes the memory of the last instance so many bytes large. */
const grow = (bytes) => memories.at(-1).grow((bytes - memories.at(-1).buffer.byteLength) / 65_536)

/** What happens to an instance, and how many take its place. */
for (const [what, happens, others] of [
  ...[1, 2, 3].map((round) => [`trap ${round}`, () => (spoil(), assert.throws(works, WebAssembly.RuntimeError)), 1]),
  ['a refusal', () => assert.throws(() => readText('quantity', 'x'), { name: 'SendoffError' }), 0],
  // The memory for it is freed.
  ['a text that is too long', () => assert.throws(() => readText('quantity', '0'.repeat(10_000_000)), { name: 'SendoffError' }), 1],
  ['a memory of 16 MiB', () => grow(2 ** 24), 0],
  ['a memory of more than 16 MiB', () => grow(2 ** 24 + 65_536), 1],
]) {
  test(`after ${what} the next call succeeds, with ${others} new instances`, () => {
    works()
    const before = memories.length
    happens()
    for (let call = 0; call < 2; call++) works()
    assert.equal(memories.length, before + others)
    if (others) assert(memories.at(-1).buffer.byteLength < 5_000_000)
  })
}

test('a limiter keeps its windows after a trap', () => {
  const limiter = new RateLimiter({ limit: 2, windowMs: 1000 })
  limiter.admit('a', 5)
  const before = limiter.snapshot()
  spoil()
  assert.throws(() => limiter.admit('a', 6), WebAssembly.RuntimeError)
  assert.deepEqual(limiter.snapshot(), before)
  assert.deepEqual(limiter.admit('a', 6), { admitted: true, phase: 'same', remaining: 0, resetAfter: 1 })
})
