// Arguments of the functions, as both backends read them. Every wrong value in every place is in bad-input.test.mjs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fresh } from './fresh.mjs'
import { polluted, refused, request as REQUEST } from './help.mjs'

const GRANT = { jobId: 'd2dc3ccf-d197-484d-b3d2-8e24071ff909', clientSWA: `0x${'56'.repeat(20)}`, validUntil: 2, validAfter: 1 }
const POLICY = { limit: 3, windowMs: 1000 }
const throwing = (thrown) => ({ toJSON: () => { throw thrown } })
const cycle = {}
cycle.self = cycle
const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
const { proxy, revoke } = Proxy.revocable({}, {})
revoke()
const HASH = `0x${'11'.repeat(32)}`
// As viem has it, with the bigints of logs and of the transaction.
const RECEIPT = {
  userOpHash: HASH, success: true, actualGasCost: 100n, actualGasUsed: 2n ** 256n - 1n, nonce: 5n,
  logs: [{ blockNumber: 7n }], receipt: { transactionHash: HASH, status: 'success', gasUsed: 9n },
}
const STATE = { jobId: GRANT.jobId, hash: HASH, phase: 'sent' }
const LIMITED = '{"status":"error","error":{"code":429,"message":"wait"}}'
const LONE = '\ud800'
const NOT_JSON = 'expected plain data, found a value that JSON cannot express: '

/** A call, its issues, and the message of the first one, or its end, if it is of this side. */
const REFUSED = [
  [(s) => s.paymasterHash(`${JSON.stringify(GRANT)} x`), ['syntax']],
  [(s) => s.paymasterHash(JSON.stringify(GRANT).replace('{', '{"validAfter":1,')), ['duplicate validAfter']],
  ...[undefined, null, () => 1, Symbol('x'), NaN, 5, true, [], new Date(0)].map((value) => [(s) => s.paymasterHash(value), ['type']]),
  [(s) => s.admit(POLICY, 5, 0), ['type window']],
  [(s) => s.operationPath('serverTransferTokens', 5), ['type params']],

  // What JSON cannot express.
  [(s) => s.paymasterHash(1n), ['type'], 'expected plain data, found a bigint'],
  [(s) => s.userOpHash({}, 1n), ['type options'], 'expected plain data, found a bigint'],
  [(s) => s.paymasterHash(cycle), ['type'], /^expected plain data, found a value that JSON cannot express: .*circular/],
  [(s) => s.userOpHash({}, cycle), ['type options']],
  [(s) => s.paymasterHash({ trap: throwing(new Error('no')), a: 1n }), ['type'], `${NOT_JSON}no`],
  [(s) => s.paymasterHash(throwing(new Error(`${'x'.repeat(100)}\nx`))), ['type'], NOT_JSON + 'x'.repeat(64)],
  [(s) => s.paymasterHash(throwing({ toString: () => { throw new Error() } })), ['type'], `${NOT_JSON}it throws what is no text`],
  [(s) => s.paymasterHash(deep), ['range']],
  [(s) => s.paymasterHash({ ...GRANT, clientSWA: 5n, validUntil: [{ toJSON: () => 2n }], jobId: '7' }), ['type clientSWA', 'type validUntil.0']],
  [(s) => s.estimate({}, { userSWA: 1n, fees: { in: [1, 2n] } }), ['type facts.userSWA', 'type facts.fees.in.1'], 'expected plain data, found a bigint'],
  [(s) => s.readReply({ status: 'success', data: { price: [5n] } }), ['type data.price.0']],
  [(s) => s.paymasterHash(Array(1_001).fill(5n)), Array.from({ length: 1_000 }, (_, at) => `type ${at}`)],
  [(s) => s.readReceipt(HASH, { ...RECEIPT, success: 1n }), ['format receipt.success']],
  [(s) => s.readReceipt(HASH, 1n), ['type receipt']],
  [(s) => s.submission(STATE, { type: 'nonce', used: true, now: 5n }), ['type step.now']],

  // UTF-8 has no lone surrogate.
  [(s) => s.paymasterHash(`"${LONE}"`), ['syntax'], 'expected JSON text, found a lone surrogate'],
  [(s) => s.userOpHash({}, '\udc00'), ['syntax options']],
  [(s) => s.readText('amount', `1${LONE}`), ['format text']],
  [(s) => s.readText('\udc00', '1'), ['format'], 'expected Unicode text, found a lone surrogate'],
  [(s) => s.paymasterHash({ ...GRANT, jobId: LONE }), ['syntax']],
  [(s) => s.text.paymasterHash(GRANT), ['type'], 'expected JSON text, found an object'],
  [(s) => s.text.estimate('{}', 5), ['type facts'], 'expected JSON text, found a number'],
  [(s) => s.text.estimate(`"${LONE}"`, '{}'), ['syntax']],
  [(s) => s.text.peek(JSON.stringify(POLICY), 'null', 5), ['type now']],
  [(s) => s.readText('amount', '1'.repeat(2 ** 24 + 1)), ['range text'], 'expected text of at most 16777216 characters, found more'],
  [(s) => s.readReply(LIMITED, 5), ['type retryAfter'], 'expected text, found a number'],

  // Text is no number, and other values are no text.
  ...['5', '', null, undefined, NaN, Infinity, {}, 5n, 1.5].map((now) => [(s) => s.touch(POLICY, null, now), ['type now']]),
  ...['1', null].map((cost) => [(s) => s.admit(POLICY, null, 0, cost), ['type cost']]),
  ...Object.entries({ 'a number': 5, null: null, undefined: undefined, 'an array': [], 'an object': {}, 'a bigint': 1n, 'a revoked proxy': proxy })
    .flatMap(([kind, value]) => [
      [(s) => s.decodeCall(value), ['type'], `expected text, found ${kind}`],
      [(s) => s.readText('amount', value), ['type text'], `expected text, found ${kind}`],
    ]),
]

/** A call, and what it answers or a part of it is. */
const ANSWERED = [
  [(s) => s.paymasterHash(JSON.stringify(GRANT)), (s) => s.paymasterHash(GRANT)],
  [(s) => s.paymasterHash({ toJSON: () => GRANT }), (s) => s.paymasterHash(GRANT)],
  [(s) => JSON.parse(s.text.paymasterHash(JSON.stringify(GRANT))), (s) => s.paymasterHash(GRANT)],
  [(s) => s.readReply({ status: 'success', data: { price: [0.5] } }).data, () => ({ price: [0.5] })],
  [(s) => s.readReceipt(HASH, RECEIPT), () => ({ outcome: 'succeeded', actualGasCost: '100', actualGasUsed: String(2n ** 256n - 1n), transactionHash: HASH })],
  [
    (s) => s.readReceipt(HASH, { ...RECEIPT, actualGasCost: -1n, actualGasUsed: 2n ** 256n, receipt: { status: 1n } }).unread,
    () => ['receipt.actualGasCost', 'receipt.actualGasUsed', 'receipt.receipt.status'],
  ],
  [(s) => s.submission(STATE, { type: 'receipt', receipt: RECEIPT }).state.phase, () => 'succeeded'],
  [(s) => s.readReceipt(HASH, JSON.stringify({ userOpHash: HASH, success: true })).outcome, () => 'succeeded'],
  // `Headers.get` returns `null` for a header that is not there.
  ...[[undefined], [null], ['17', 17]].map(([header, seconds]) => [(s) => s.readReply(LIMITED, header).retryAfter, () => seconds]),
  [(s) => s.admit(POLICY, null, 0, undefined).verdict.remaining, () => 2],
  [(s) => JSON.parse(s.text.peek(JSON.stringify(POLICY), 'null', '5', undefined)).admitted, () => true],
  [(s) => s.admit(POLICY, null, -0, 1).verdict.remaining, () => 2],
  // Keys such as __proto__ are data.
  [(s) => refused(() => s.paymasterHash(JSON.parse('{"__proto__":1}'))).includes('unknown __proto__'), () => true],
  [(s) => refused(() => s.paymasterHash(Object.create(GRANT))).includes('missing jobId'), () => true],
  [(s) => Object.keys(s.readReply('{"status":"success","data":{"__proto__":{"a":1}}}').data), () => ['__proto__']],
]

for (const backend of ['wasm', 'native']) {
  const sendoff = fresh(backend)

  test(`${backend}: an invalid argument is refused at its path`, () => {
    for (const [call, issues, message] of REFUSED) {
      assert.deepEqual(refused(() => call(sendoff)), issues, String(call))
      if (message === undefined) continue
      assert.throws(() => call(sendoff), ({ issues: [issue], cause }) => {
        if (message instanceof RegExp) assert(message.test(issue.message) && cause instanceof TypeError)
        else assert.equal(issue.message, message)
        return true
      })
    }
  })

  test(`${backend}: a document is a value or its JSON text, and in a receipt a bigint counts as its decimal text`, () => {
    for (const [call, expected] of ANSWERED) assert.deepEqual(call(sendoff), expected(sendoff), String(call))
  })

  test(`${backend}: a runtime without isWellFormed refuses the same texts`, () => {
    const { isWellFormed } = String.prototype
    delete String.prototype.isWellFormed
    try {
      assert.deepEqual(refused(() => sendoff.readText('\udc00', '1')), ['format'])
      assert.equal(sendoff.readText('quantity', '0x10').decimal, '16')
    } finally {
      Object.defineProperty(String.prototype, 'isWellFormed', { value: isWellFormed, configurable: true, writable: true })
    }
  })

  test(`${backend}: prototypes that a page has changed do not change a document`, async () => {
    const hash = sendoff.paymasterHash(GRANT)
    const transaction = { from: GRANT.clientSWA, to: GRANT.clientSWA, data: '0x', value: '0x0' }
    const request = { type: 'RAW_TRANSACTION', details: { caip2Id: 'eip155:1', transactions: new Array(1) } }
    const changes = [...[Object, String, Number, Boolean].map((kind) => [kind, 'toJSON', () => null]), [Array, 'toJSON', () => [transaction]], [Array, 0, transaction], [Object, 0, transaction]]
    for (const [{ prototype }, name, value] of changes) {
      for (const enumerable of [true, false]) {
        // An element that is not enumerable is not looked for.
        if (name === 0 && !enumerable) continue
        const calls = () => [sendoff.paymasterHash(GRANT), ...refused(() => sendoff.checkDocument('EstimateRequest', request))]
        const found = await polluted(prototype, { [name]: { value, enumerable, writable: true } }, calls)
        assert.equal(found[0], hash)
        assert(found.includes('type document.details.transactions.0'), found.join())
      }
    }
  })

  test(`${backend}: verification judges any value as a reply, and never throws`, () => {
    for (const reply of [undefined, null, 1n, '', '{', `"${LONE}"`, [], () => 1]) {
      const { ok, findings } = sendoff.verifyEstimate(REQUEST, reply)
      assert.deepEqual([ok, findings.map(({ rule }) => rule)], [false, ['shape']])
    }
    assert.deepEqual(sendoff.verifyEstimate(REQUEST, 1n), sendoff.verifyEstimate(REQUEST, ''))
  })

  test(`${backend}: text that is longer than the memory of WebAssembly is \`range\`, and is not read`, () => {
    // Its characters are not in memory: each text is a rope, until something reads it.
    const long = (char) => char.repeat(500_000_000)
    const before = process.memoryUsage().rss
    assert.deepEqual(refused(() => sendoff.signable(long('a'), long('b'), long('c'))), ['range', 'range where'])
    assert.deepEqual(refused(() => sendoff.estimate({ jobId: 'a'.repeat(2 ** 24) }, long('b'))), ['range', 'range facts'])
    assert.deepEqual(refused(() => sendoff.findOperation(long('a'), '/')), ['range'])
    assert.deepEqual(refused(() => sendoff.readText('quantity', long('é'))), ['range text'])
    const { ok, findings } = sendoff.verifyEstimate(REQUEST, long('b'))
    assert.deepEqual([ok, findings.map(({ rule }) => rule)], [false, ['shape']])
    assert.match(findings[0].message, /at most 1048576 bytes/)
    assert(process.memoryUsage().rss - before < 400_000_000)
    assert.equal(sendoff.readText('quantity', '0x10').decimal, '16')
    // Ten megabytes that are in memory.
    assert.deepEqual(refused(() => sendoff.paymasterHash({ ...GRANT, jobId: 'é'.repeat(10_000_000) })), ['range'])
    assert.equal(sendoff.readText('quantity', '0x10').decimal, '16')
  })
}
