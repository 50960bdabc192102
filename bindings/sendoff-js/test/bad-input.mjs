// Wrong JavaScript values, by their kind. Each use creates a new one, because some can be used only once.

import { runInNewContext } from 'node:vm'

/** More levels than a function that calls itself has stack for, and more bytes than a request may have. More with SENDOFF_ALL. */
const [LEVELS, BYTES] = process.env.SENDOFF_ALL ? [100_000, 10_000_000] : [20_000, 2_000_000]

class Account {
  #secret = 1
  get sender() {
    return this.#secret
  }
}

function throwing(thrown) {
  return { get jobId() { throw thrown } }
}

/** A value on which every operation throws. */
function hostile() {
  const trap = () => { throw new Error('trapped') }
  return new Proxy({}, new Proxy({}, { get: () => trap }))
}

function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

function nested(depth) {
  let value = []
  for (let level = 1; level < depth; level++) value = [value]
  return value
}

function cycle() {
  const value = {}
  return Object.assign(value, { value })
}

export const VALUES = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  'not a number': () => NaN,
  infinity: () => -Infinity,
  'minus zero': () => -0,
  '2^53': () => 2 ** 53,
  '1e21': () => 1e21,
  'a fraction': () => 0.5,
  'a bigint': () => 5n,
  'a symbol': () => Symbol('five'),
  'a function': () => () => 5,
  'a class': () => Account,
  'an instance of a class': () => new Account(),
  'an empty object': () => ({}),
  'an object without a prototype': () => Object.create(null),
  'a frozen object': () => Object.freeze({ jobId: 5 }),
  'an object of another realm': () => runInNewContext('({ jobId: [5] })'),
  'an array of another realm': () => runInNewContext('[[]]'),
  'a getter that throws': () => throwing(new Error('thrown')),
  'a getter that throws a RangeError': () => throwing(new RangeError('thrown')),
  'a getter that throws a symbol': () => throwing(Symbol('thrown')),
  'a getter that throws what is no text': () => throwing(Object.create(null)),
  'a getter that throws what cannot be looked at': () => throwing(revoked({})),
  'a getter that throws an error without a message': () => throwing(Object.assign(new Error(), { message: Symbol() })),
  'a toJSON that throws': () => ({ toJSON() { throw new Error('thrown') } }),
  'a toJSON that answers nothing': () => ({ toJSON() {} }),
  'a toJSON that is not a function': () => ({ toJSON: 5 }),
  'a cycle': cycle,
  'a cycle through an array': () => { const value = []; value.push(value); return value },
  'a bigint in an object': () => ({ jobId: 5n }),
  'a proxy with throwing traps': hostile,
  'a revoked proxy': () => revoked({}),
  'a revoked proxy of an array': () => revoked([]),
  'a proxy that makes keys up': () => new Proxy({}, { ownKeys: () => ['a', 'a'] }),
  'an empty array': () => [],
  'an array with holes': () => [, 5, ,],
  'an array of many levels': () => nested(LEVELS),
  'JSON text of 100,000 levels': () => '['.repeat(100_000),
  'an array of 65 levels': () => nested(65),
  'a date': () => new Date(0),
  'an invalid date': () => new Date(NaN),
  'a map': () => new Map([['jobId', 5]]),
  'a set': () => new Set([5]),
  'a regular expression': () => /5/,
  'an error': () => new Error('five'),
  'a promise': () => Promise.resolve({}),
  'a typed array': () => new Uint8Array(3),
  'a typed array of bigints': () => new BigInt64Array(1),
  'an array buffer': () => new ArrayBuffer(3),
  'a String': () => new String('{}'),
  'a Number': () => new Number(5),
  'a BigInt': () => Object(5n),
  'an empty text': () => '',
  'a text with NUL': () => '0x\0',
  'a text with a line separator': () => '\u2028"',
  'a lone surrogate': () => '"\ud800"',
  'a lone surrogate in an object': () => ({ jobId: '\udc00' }),
  'a key that is a lone surrogate': () => ({ '\udc00': 5 }),
  'a key of the prototype': () => JSON.parse('{"__proto__":{"jobId":5},"constructor":5}'),
}

/** Values that are too expensive to try in every field, or to make twice. */
const [text, object] = ['é'.repeat(BYTES / 2), { jobId: '0'.repeat(BYTES) }]
export const LARGE = {
  'a large text': () => text,
  'a large object': () => object,
}
