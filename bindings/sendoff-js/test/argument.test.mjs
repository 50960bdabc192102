import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fresh } from './fresh.mjs'
import { refused, request as REQUEST } from './help.mjs'

const GRANT = { jobId: 'd2dc3ccf-d197-484d-b3d2-8e24071ff909', clientSWA: `0x${'56'.repeat(20)}`, validUntil: 2, validAfter: 1 }
const POLICY = { limit: 3, windowMs: 1000 }

for (const backend of ['wasm', 'native']) {
  const sendoff = fresh(backend)

  test(`${backend}: is the backend, also after \`init()\``, async () => {
    assert.equal(sendoff.backend(), backend)
    assert.equal(await sendoff.init(), undefined)
    assert.equal(sendoff.backend(), backend)
  })

  test(`${backend}: a document is a value or its JSON text`, () => {
    const hash = sendoff.paymasterHash(GRANT)
    assert.match(hash, /^0x[0-9a-f]{64}$/)
    assert.equal(sendoff.paymasterHash(JSON.stringify(GRANT)), hash)
    assert.equal(sendoff.paymasterHash({ toJSON: () => GRANT }), hash)
    assert.deepEqual(refused(() => sendoff.paymasterHash(`${JSON.stringify(GRANT)} x`)), ['syntax'])
    assert.deepEqual(refused(() => sendoff.paymasterHash(JSON.stringify(GRANT).replace('{', '{"validAfter":1,'))), [
      'duplicate validAfter',
    ])
  })

  test(`${backend}: an invalid document is refused at its path`, () => {
    for (const value of [undefined, null, () => 1, Symbol('x'), NaN, 5, true, [], new Date(0)])
      assert.deepEqual(refused(() => sendoff.paymasterHash(value)), ['type'])
    assert.deepEqual(refused(() => sendoff.admit(POLICY, 5, 0)), ['type window'])
    assert.deepEqual(refused(() => sendoff.operationPath('serverTransferTokens', 5)), ['type params'])
  })

  test(`${backend}: a value that JSON cannot express is refused at its path`, () => {
    const cycle = {}
    cycle.self = cycle
    const trap = { toJSON: () => { throw new Error('no') } }
    for (const value of [1n, cycle, trap, { trap, a: 1n }]) {
      assert.deepEqual(refused(() => sendoff.paymasterHash(value)), ['type'])
      assert.deepEqual(refused(() => sendoff.userOpHash({}, value)), ['type options'])
    }
    assert.throws(() => sendoff.paymasterHash(1n), { message: 'expected plain data, found a bigint' })
    assert.throws(() => sendoff.paymasterHash(cycle), ({ message, cause }) => {
      assert.match(message, /^expected plain data, found a value that JSON cannot express: .*circular/)
      return cause instanceof TypeError
    })
    assert.throws(() => sendoff.paymasterHash({ toJSON: () => { throw new Error(`${'x'.repeat(100)}\nx`) } }), ({ message }) => {
      return message.endsWith(`: ${'x'.repeat(64)}`)
    })
    const mute = { toJSON: () => { throw { toString: () => { throw new Error() } } } }
    assert.deepEqual(refused(() => sendoff.paymasterHash(mute)), ['type'])
    assert.throws(() => sendoff.paymasterHash(mute), ({ message }) => message.endsWith(': it throws what is no text'))
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    assert.deepEqual(refused(() => sendoff.paymasterHash(deep)), ['range'])
  })

  test(`${backend}: a bigint is refused at its path, together with all other problems`, () => {
    const grant = { ...GRANT, clientSWA: 5n, validUntil: 2n, jobId: '7' }
    const found = ['format jobId', 'type clientSWA', 'type validUntil']
    assert.deepEqual(refused(() => sendoff.paymasterHash(grant)).sort(), found)
    const facts = refused(() => sendoff.estimate({ details: [1n] }, { userSWA: 1n }))
    for (const issue of ['type facts.userSWA', 'missing facts.clientSWA', 'missing jobId']) assert(facts.includes(issue))
    assert.deepEqual(refused(() => sendoff.admit({ ...POLICY, limit: 3n }, null, 0)), ['type limit'])
    const messages = (result) => result.issues.map(({ path, message }) => `${path}: ${message}`)
    assert.deepEqual(messages(sendoff.safeAdmit({ ...POLICY, limit: 3n }, null, 0)).map((line) => line.slice(-16)), [', found a bigint'])
    const named = messages(sendoff.safeSignable({ jobId: 5 }, '', { chainId: 1802466136n, wallets: ['0x', 7n] }))
    const of = (path) => named.find((line) => line.startsWith(`${path}: `))
    assert.equal(of('where.chainId'), 'where.chainId: expected an integer, found a bigint')
    assert.match(of('where.wallets.1'), /, found a bigint$/)
    assert.match(of('jobId'), /, found a number$/)
    assert.deepEqual(messages(sendoff.safeSignable({ chainId: 5n }, '', { chainId: 0.5 })).filter((line) => line.includes('bigint')), ['chainId: expected no such field, found a bigint'])
    // A part of any shape would accept what stands for a bigint.
    assert.deepEqual(refused(() => sendoff.readReply({ status: 'success', data: { price: [5n] } })), ['type'])
    assert.deepEqual(sendoff.readReply({ status: 'success', data: { price: [0.5] } }).data, { price: [0.5] })
  })

  test(`${backend}: a bigint of a receipt counts as its decimal text`, () => {
    const hash = `0x${'11'.repeat(32)}`
    // As viem has it, with the bigints of logs and of the transaction.
    const receipt = { userOpHash: hash, success: true, actualGasCost: 100n, actualGasUsed: 2n ** 256n - 1n, nonce: 5n,
      logs: [{ blockNumber: 7n }], receipt: { transactionHash: hash, status: 'success', gasUsed: 9n } }
    const outcome = { outcome: 'succeeded', actualGasCost: '100', actualGasUsed: String(2n ** 256n - 1n), transactionHash: hash }
    assert.deepEqual(sendoff.readReceipt(hash, receipt), outcome)
    const unread = sendoff.readReceipt(hash, { ...receipt, actualGasCost: -1n, actualGasUsed: 2n ** 256n, receipt: { status: 1n } }).unread
    assert.deepEqual(unread, ['receipt.actualGasCost', 'receipt.actualGasUsed', 'receipt.receipt.status'])
    assert.deepEqual(refused(() => sendoff.readReceipt(hash, { ...receipt, success: 1n })), ['format receipt.success'])
    assert.deepEqual(refused(() => sendoff.readReceipt(hash, 1n)), ['type receipt'])

    const state = { jobId: GRANT.jobId, hash, phase: 'sent' }
    assert.equal(sendoff.submission(state, { type: 'receipt', receipt }).state.phase, 'succeeded')
    assert.deepEqual(refused(() => sendoff.submission(state, { type: 'nonce', used: true, now: 5n })), ['type step.now'])
    const reply = { status: 'success', data: [5n] }
    assert.deepEqual(refused(() => sendoff.submission(state, { type: 'answered', reply })), ['type step'])
  })

  test(`${backend}: a lone surrogate is refused, not replaced`, () => {
    assert.deepEqual(refused(() => sendoff.paymasterHash('"\ud800"')), ['syntax'])
    assert.deepEqual(refused(() => sendoff.userOpHash({}, '\udc00')), ['syntax options'])
    assert.deepEqual(refused(() => sendoff.readText('amount', '1\ud800')), ['format text'])
    assert.deepEqual(refused(() => sendoff.readText('\udc00', '1')), ['format'])
    assert.deepEqual(refused(() => sendoff.paymasterHash({ ...GRANT, jobId: '\ud800' })), ['syntax'])
    assert.throws(() => sendoff.paymasterHash('"\ud800"'), { message: 'expected JSON text, found a lone surrogate' })
    assert.throws(() => sendoff.readText('\udc00', '1'), { message: 'expected Unicode text, found a lone surrogate' })
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

  test(`${backend}: functions for text take JSON text only`, () => {
    assert.equal(JSON.parse(sendoff.text.paymasterHash(JSON.stringify(GRANT))), sendoff.paymasterHash(GRANT))
    assert.deepEqual(refused(() => sendoff.text.paymasterHash(GRANT)), ['type'])
    assert.throws(() => sendoff.text.paymasterHash(GRANT), { message: 'expected JSON text, found an object' })
  })

  test(`${backend}: prototypes that a page has changed do not change a document`, () => {
    const hash = sendoff.paymasterHash(GRANT)
    const transaction = { from: GRANT.clientSWA, to: GRANT.clientSWA, data: '0x', value: '0x0' }
    const request = { type: 'RAW_TRANSACTION', details: { caip2Id: 'eip155:1', transactions: new Array(1) } }
    const changes = [[Object, 'toJSON', () => 5], [Array, 'toJSON', () => [transaction]], [Array, 0, transaction], [Object, 0, transaction]]
    for (const [{ prototype }, name, value] of changes) {
      for (const enumerable of [true, false]) {
        // An element that is not enumerable is not looked for.
        if (name === 0 && !enumerable) continue
        Object.defineProperty(prototype, name, { value, enumerable, configurable: true, writable: true })
        let found
        try {
          found = [sendoff.paymasterHash(GRANT), ...refused(() => sendoff.checkDocument('EstimateRequest', request))]
        } finally {
          delete prototype[name]
        }
        assert.equal(found[0], hash)
        assert(found.includes('type document.details.transactions.0'), found.join())
      }
    }
  })

  test(`${backend}: text is not accepted as a number`, () => {
    for (const now of ['5', '', null, undefined, NaN, Infinity, {}, 5n, 1.5])
      assert.deepEqual(refused(() => sendoff.touch(POLICY, null, now)), ['type now'])
    assert.deepEqual(refused(() => sendoff.admit(POLICY, null, 0, '1')), ['type cost'])
    assert.deepEqual(refused(() => sendoff.admit(POLICY, null, 0, null)), ['type cost'])
    assert.equal(sendoff.admit(POLICY, null, 0, undefined).verdict.remaining, 2)
    assert.equal(sendoff.admit(POLICY, null, -0, 1).verdict.remaining, 2)
  })

  test(`${backend}: other types are not accepted as text`, () => {
    const found = { 'a number': 5, null: null, undefined: undefined, 'an array': [], 'an object': {}, 'a bigint': 1n }
    for (const [kind, value] of Object.entries(found)) {
      assert.deepEqual(refused(() => sendoff.decodeCall(value)), ['type'])
      assert.deepEqual(refused(() => sendoff.readText('amount', value)), ['type text'])
      assert.throws(() => sendoff.readText('amount', value), { message: `text: expected text, found ${kind}` })
    }
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    assert.throws(() => sendoff.decodeCall(proxy), { message: 'expected text, found a revoked proxy' })
  })

  test(`${backend}: keys such as __proto__ are data`, () => {
    assert(refused(() => sendoff.paymasterHash(JSON.parse('{"__proto__":1}'))).includes('unknown __proto__'))
    assert(refused(() => sendoff.paymasterHash(Object.create(GRANT))).includes('missing jobId'))
    const { data } = sendoff.readReply('{"status":"success","data":{"__proto__":{"a":1}}}')
    assert.deepEqual(Object.keys(data), ['__proto__'])
  })

  test(`${backend}: verification judges any value as a reply, and never throws`, () => {
    for (const reply of [undefined, null, 1n, '', '{', '"\ud800"', [], () => 1]) {
      const { ok, findings } = sendoff.verifyEstimate(REQUEST, reply)
      assert.equal(ok, false)
      assert.deepEqual(findings.map(({ rule }) => rule), ['shape'])
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
