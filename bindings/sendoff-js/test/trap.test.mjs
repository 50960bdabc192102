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

test('after a trap the next call gets a new instance', () => {
  for (let round = 0; round < 3; round++) {
    const before = memories.length
    spoil()
    assert.throws(works, WebAssembly.RuntimeError)
    works()
    assert.equal(memories.length, before + 1)
  }
})

test('after a stack overflow in the wasm the next call succeeds', () => {
  unwinds(works)
})

test('a refusal keeps the instance', () => {
  const before = memories.length
  assert.throws(() => readText('quantity', 'x'), { name: 'SendoffError' })
  works()
  assert.equal(memories.length, before)
})

test('the memory for a text that is too long is freed', () => {
  works()
  const before = memories.length
  assert.throws(() => readText('quantity', '0'.repeat(10_000_000)), { name: 'SendoffError' })
  works()
  assert.equal(memories.length, before + 1)
  assert(memories.at(-1).buffer.byteLength < 5_000_000)
})

test('an instance is replaced if it has more than 16 MiB', () => {
  works()
  const before = memories.length
  const memory = memories.at(-1)
  const grow = (bytes) => memory.grow((bytes - memory.buffer.byteLength) / 65_536)
  grow(2 ** 24)
  for (let call = 0; call < 2; call++) works()
  assert.equal(memories.length, before)
  grow(2 ** 24 + 65_536)
  for (let call = 0; call < 2; call++) works()
  assert.equal(memories.length, before + 1)
})

test('a limiter keeps its windows after a trap', () => {
  const limiter = new RateLimiter({ limit: 2, windowMs: 1000 })
  limiter.admit('a', 5)
  const before = limiter.snapshot()
  spoil()
  assert.throws(() => limiter.admit('a', 6), WebAssembly.RuntimeError)
  assert.deepEqual(limiter.snapshot(), before)
  assert.deepEqual(limiter.admit('a', 6), { admitted: true, phase: 'same', remaining: 0, resetAfter: 1 })
})
