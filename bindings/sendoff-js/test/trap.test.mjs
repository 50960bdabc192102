import assert from 'node:assert/strict'
import { test } from 'node:test'

// The memory of every instance that the package makes, to spoil it from outside: the product has no door for that.
const memories = []
WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(...args) {
    super(...args)
    memories.push(this.exports.memory)
  }
}

process.env.SENDOFF_BACKEND = 'wasm'
const { RateLimiter, backend, readText } = await import('sendoff')

const works = () => assert.equal(readText('quantity', '0x10').decimal, '16')
const spoil = () => new Uint8Array(memories.at(-1).buffer).fill(0xff)

test('nothing is compiled before the first call', () => {
  assert.equal(backend(), 'wasm')
  assert.equal(memories.length, 0)
  works()
  works()
  assert.equal(memories.length, 1)
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

test('a stack that overflows in the wasm leaves nothing behind', () => {
  // Calls it at every depth on the way back from the end of the stack.
  const descend = () => {
    try {
      descend()
    } finally {
      works()
    }
  }
  assert.throws(descend, RangeError)
  works()
})

test('a refusal is no reason for a new instance', () => {
  const before = memories.length
  assert.throws(() => readText('quantity', 'x'), { name: 'SendoffError' })
  works()
  assert.equal(memories.length, before)
})

test('what a text takes that is too long to be read is given back', () => {
  works()
  const before = memories.length
  assert.throws(() => readText('quantity', '0'.repeat(10_000_000)), { name: 'SendoffError' })
  works()
  assert.equal(memories.length, before + 1)
  assert(memories.at(-1).buffer.byteLength < 5_000_000)
})

test('a limiter keeps its windows through a trap', () => {
  const limiter = new RateLimiter({ limit: 2, windowMs: 1000 })
  limiter.admit('a', 5)
  const before = limiter.snapshot()
  spoil()
  assert.throws(() => limiter.admit('a', 6), WebAssembly.RuntimeError)
  assert.deepEqual(limiter.snapshot(), before)
  assert.deepEqual(limiter.admit('a', 6), { admitted: true, phase: 'same', remaining: 0, resetAfter: 1 })
})
