// `sendoff/flow`: the loop against a service, a bundler and a chain that do anything.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimate, SendoffError } from 'sendoff'
import { flow } from 'sendoff/flow'
import { deployment, facts, request } from './help.mjs'
import { hashOf, receiptOf, SIGNATURE, world } from './world.mjs'

const error = (code, message) => ({ jsonrpc: '2.0', id: 1, error: { code, message } })
const AA26 = error(-32500, 'AA26 over verificationGasLimit')
const UNDERPRICED = error(-32602, 'replacement underpriced')
const LIMITED = { text: '{"status":"error","error":{"code":429,"message":"slow down"}}', retryAfter: '17' }

/** Other gas limits for each estimate: the service makes another operation each time. */
const others = (count) => ({ gasLimits: { ...facts.gasLimits, callGasLimit: `0x${(800_000 + count).toString(16)}` } })

/** The same transfer to somebody else, and the field of the call data that tells it. */
const RECIPIENT = 'intent.details.recipientWalletAddress'
const toStranger = (asked) => ({ ...asked, details: { ...asked.details, recipientWalletAddress: deployment.clientSWA } })

const transfer = { request, deployment }

/** A call of the loop in a world: what it says, and what there was to see. */
async function run(options, more) {
  const { seen, program } = world(options)
  return { result: await flow(program, { ...transfer, ...more }), seen, program }
}

test('a transfer goes from the request to the receipt', async () => {
  const { result, seen } = await run()
  assert.deepEqual([result.outcome, result.receipt.actualGasCost], ['succeeded', '100'])
  const { signature, ...operation } = seen.sent[0]
  assert.equal(signature, SIGNATURE)
  assert.deepEqual(operation, estimate(request, facts).data.userOps)
  assert.deepEqual([seen.sent.length, seen.shown.length, result.by], [1, 1, 'bundler'])
})

test('what a bundler refuses is changed, replaced or sent again, in the same job', async () => {
  const answers = [AA26, error(-32000, 'replacement transaction underpriced'), error(-32504, 'throttled')]
  const { result, seen } = await run({ answers, estimates: others })
  assert.deepEqual([result.outcome, seen.jobs.size], ['succeeded', 1])
  const caps = seen.sent.map(({ maxFeePerGas }) => BigInt(maxFeePerGas))
  const cap = BigInt(request.gasDetails.maxFeePerGas)
  // The same fees, higher ones for the replacement, and then the same operation once more.
  assert.deepEqual(caps, [cap, cap, (cap * 110n + 99n) / 100n, (cap * 110n + 99n) / 100n])
  assert.deepEqual(seen.sent[3], seen.sent[2])
  assert.equal(new Set(seen.sent.map(({ nonce }) => nonce)).size, 1)
})

test('nothing is signed that does not match the request, and nothing that the person or the wallet declines', async () => {
  const { seen, program } = world()
  const says = (more) => flow({ ...program, ...more }, transfer)
  const refused = await says({ estimate: async (asked) => ({ text: JSON.stringify(estimate(toStranger(asked), facts)) }) })
  assert.equal(refused.outcome, 'refused')
  assert(refused.issues.some(({ field }) => field === RECIPIENT))
  const { outcome, reply } = await says({ estimate: async () => LIMITED })
  assert.deepEqual([outcome, reply.code, reply.retryAfter], ['unanswered', 429, 17])

  const cause = new Error('no')
  const throws = () => { throw cause }
  for (const estimate of [throws, async () => throws()]) assert.deepEqual(await says({ estimate }), { outcome: 'unanswered', reply: undefined, cause })
  for (const more of [{ sign: throws }, { sign: async () => throws() }, { show: throws }]) assert.deepEqual(await says(more), { outcome: 'declined', cause })
  assert.deepEqual(await says({ show: () => false }), { outcome: 'declined' })
  assert.deepEqual([seen.sent, seen.stored], [[], null])
  // A function that throws is a lost connection.
  assert.equal((await says({ send: throws, wait: throws })).outcome, 'open')
  assert.equal((await says({ nonce: throws })).outcome, 'succeeded')
})

test('after something was sent, what the service answers leaves the transfer open: the operation can still be executed', async () => {
  const { seen, program } = world({ answers: [AA26, AA26] })
  const honest = program.estimate
  program.estimate = (asked) => (seen.sent.length === 0 ? honest(asked) : LIMITED)
  const told = await flow(program, transfer)
  assert.deepEqual([told.outcome, told.reply.code, told.reply.retryAfter, told.refusal.reason], ['open', 429, 17, 'AA26'])

  program.estimate = (asked) => honest(toStranger(asked))
  const { outcome, issues, state } = await flow(program, transfer)
  assert.deepEqual([outcome, state.jobId, state.phase], ['open', request.jobId, 'unknown'])
  assert(issues.some(({ field }) => field === RECIPIENT))
  assert.equal(seen.sent.length, 2)
})

const OTHER = '0x00000000000000000000000000000000000000aa'

test('an operation for another EntryPoint or chain is refused, and no step is taken (L9)', async () => {
  for (const [path, more] of [['where.entryPoint', { entryPoint: OTHER }], ['where.chainId', { chainId: 5 }]]) {
    const { seen, program } = world({ answers: ['break'], waits: 0 })
    await flow(program, transfer)
    const { stored } = seen
    const result = await flow({ ...program, wait: async () => true }, { request, deployment: { ...deployment, ...more } })
    assert.deepEqual([result.outcome, result.issues.map(({ path }) => path)], ['open', [path]])
    assert.deepEqual([seen.stored, seen.sent.length], [stored, 1])
  }
})

test('what a bundler accepted and lost is sent again after three rounds, and nobody is asked (L2)', async () => {
  const lost = (operation) => ({ jsonrpc: '2.0', id: 1, result: hashOf(operation) })
  for (const rounds of [undefined, 1, 7]) {
    const { result, seen } = await run({ answers: [lost, lost] }, { rounds })
    assert.deepEqual([result.outcome, seen.sent.length, seen.shown.length, seen.signed], ['succeeded', 3, 1, 1])
    assert.equal(seen.log.join(' '), `estimate${` send${' wait receipt'.repeat(rounds ?? 3)}`.repeat(2)} send wait receipt`)
  }
})

test('a wrong key is shown once, and the outcome has the reason (L3)', async () => {
  const { seen, program } = world({ answers: Array(60).fill(error(-32507, 'AA24 signature error')) })
  for (let call = 0; call < 3; call += 1) {
    const { outcome, refusal } = await flow(program, transfer)
    assert.deepEqual([outcome, refusal], ['open', { at: 'account', next: 'change', reason: 'AA24', message: 'AA24 signature error' }])
    assert.deepEqual([seen.shown.length, seen.signed, seen.sent.length], [1, 1, call + 1])
  }
  // The service's own refusal in these words ends in the same way.
  const service = await run({ answers: Array(60).fill({ status: 'error', error: { code: 400, message: 'AA24 signature error' } }) })
  assert.deepEqual([service.result.outcome, service.result.refusal.reason, service.seen.signed], ['open', 'AA24', 1])
})

test('an operation that is refused is prepared again once a call', async () => {
  const { result, seen } = await run({ answers: Array(60).fill(AA26), estimates: others })
  assert.deepEqual([result.outcome, result.refusal.reason, seen.signed, seen.waits], ['open', 'AA26', 2, 2])
})

test('a program may say no to a raise, and its bounds too (K1b, L10)', async () => {
  const underpriced = Array(60).fill(UNDERPRICED)
  const { result, seen } = await run({ answers: [...underpriced], waits: 4 })
  assert.deepEqual([result.outcome, result.refusal.next, seen.sent.length], ['open', 'replace', 5])

  const asked = []
  const cautious = await run({ answers: [...underpriced], waits: 4, raise: (fees) => (asked.push(fees), false) })
  assert.deepEqual([cautious.result.outcome, cautious.seen.signed, cautious.seen.estimates.length], ['open', 1, 1])
  assert.deepEqual(asked[0], { maxFeePerGas: '0xa3e9ab80', maxPriorityFeePerGas: '0x62590080' })

  // `expect` of the deployment bounds the raises.
  const maxCost = String((3_750_000_000_000_000n * 115n) / 100n)
  const bounded = await run({ answers: [...underpriced], waits: 20 }, { deployment: { ...deployment, expect: { maxCost } } })
  assert.deepEqual([bounded.result.outcome, bounded.result.issues.length > 0, bounded.seen.signed], ['open', true, 2])
})

test('a person may ask for higher fees, also for what was accepted', async () => {
  const { seen, program } = world({ answers: [(operation) => ({ result: hashOf(operation) })], waits: 0 })
  await flow(program, transfer)
  program.wait = async () => true
  assert.equal((await flow(program, { ...transfer, replace: true })).outcome, 'succeeded')
  const [first, second] = seen.sent.map(({ maxFeePerGas }) => BigInt(maxFeePerGas))
  assert.deepEqual([seen.sent.length, seen.signed, second], [2, 2, (first * 110n + 99n) / 100n])
})

const T = `0x${'33'.repeat(32)}`
test('an answer that is no receipt, and a mistake of the node, are told (K3, L11)', async () => {
  for (const [name, answer, path] of [
    ['receipt', {}, 'receipt.userOpHash'],
    ['receipt', { success: true }, 'receipt.userOpHash'],
    ['receipt', '0x', 'receipt'],
    ['receipt', undefined, 'receipt'],
    ['receipt', receiptOf(T), 'receipt.userOpHash'],
    ['nonce', { used: true, now: 5.5 }, 'nonce.now'],
    ['nonce', { used: 'yes', now: 5 }, 'nonce.used'],
    ['nonce', { now: 5 }, 'nonce.used'],
    ['nonce', 7, 'nonce'],
    ['nonce', { used: true, now: 5, success: 1 }, 'nonce.success'],
  ]) {
    const { result } = await run({ waits: 2, receipt: async () => null, [name]: async () => answer })
    assert.deepEqual([result.outcome, result.issues[0].path], ['open', path], JSON.stringify([name, answer]))
  }
})

test('the outcome says whose word it is (L4)', async () => {
  for (const [success, node, expected] of [
    [true, undefined, ['succeeded', 'bundler', '100', undefined]],
    [true, { used: true, now: 5 }, ['succeeded', 'bundler', '100', undefined]],
    [true, { used: true, now: 5, success: true }, ['succeeded', 'node', '100', undefined]],
    [false, { used: true, now: 5, success: false }, ['failed', 'node', '100', undefined]],
    [true, { used: true, now: 5, success: false }, ['failed', 'node', undefined, undefined]],
    [undefined, { used: true, now: 5, success: true }, ['succeeded', 'node', undefined, undefined]],
    [undefined, { used: true, now: 5 }, ['executed', 'node', undefined, undefined]],
    // A node may answer more than is asked (L11).
    [true, { used: true, now: 5, number: 9n, hash: T }, ['succeeded', 'bundler', '100', undefined]],
  ]) {
    const receipt = async (hash) => (success === undefined ? null : receiptOf(hash, { success }))
    const { outcome, by, receipt: known, success: said } = (await run({ receipt, nonce: async () => node })).result
    assert.deepEqual([outcome, by, known?.actualGasCost, said], expected)
  }
})

test('of several operations, a receipt that the own node contradicts does not say which was executed', async () => {
  const answers = [AA26]
  const { seen, program } = world({ answers: [...answers, undefined, ...answers], estimates: others })
  program.nonce = async () => ({ used: seen.sent.length > 1, now: 5, success: true })
  program.receipt = async (hash) => (seen.sent.length > 1 && hash === hashOf(seen.sent[1]) ? receiptOf(hash, { success: false }) : null)
  const { issues, ...result } = await flow(program, transfer)
  assert.deepEqual([result, issues[0].path], [{ outcome: 'executed', by: 'node', success: true }, 'receipt'])
  // So also where the receipt was believed before, without a node.
  const believed = { ...program, nonce: undefined }
  Object.assign(seen, { stored: null, sent: [] })
  assert.equal((await flow(believed, transfer)).outcome, 'failed')
  assert.equal((await flow(program, transfer)).outcome, 'executed')
})

test('a nonce that is used, without a receipt, is `executed` after three rounds', async () => {
  const { result, seen, program } = await run({ receipt: async () => null, nonce: async () => ({ used: true, now: 5 }) })
  assert.deepEqual(result, { outcome: 'executed', by: 'node' })
  assert.deepEqual([seen.waits, seen.sent.length], [3, 1])
  assert.deepEqual(await flow({ ...program, nonce: undefined }, transfer), { outcome: 'executed', by: 'node' })
})

test('the outcome is kept when receipts are gone (L8)', async () => {
  const { result, seen, program } = await run()
  program.receipt = async () => null
  assert.deepEqual(await flow(program, transfer), result)
  // A node that says more is believed, and one that does not answer changes nothing.
  assert.deepEqual(await flow({ ...program, nonce: async () => Promise.reject(new Error()) }, transfer), { ...result, cause: new Error() })
  const sure = await flow({ ...program, nonce: async () => ({ used: true, now: 5, success: true }) }, transfer)
  assert.deepEqual(sure, { ...result, by: 'node' })
  assert.deepEqual(await flow(program, transfer), sure)
  assert.equal(seen.sent.length, 1)
})

test('a receipt of the bundler that a node contradicts later is taken back (L4)', async () => {
  const { seen, program } = world()
  const { send } = program
  program.send = async (operation) => ({ result: hashOf(operation) })
  program.receipt = async (hash) => receiptOf(hash)
  assert.equal((await flow(program, transfer)).outcome, 'succeeded')
  Object.assign(program, { send, receipt: async (hash) => (seen.executed ? receiptOf(hash) : null), nonce: async () => ({ used: !!seen.executed, now: 5 }) })
  assert.equal((await flow(program, transfer)).outcome, 'succeeded')
  assert.deepEqual([seen.sent.length, seen.signed], [1, 1])
})

test('an end that is none is refused before anything is shown (L5)', async () => {
  for (const end of [Date.now() / 1000 + 0.5, NaN, -1, '1750000000', 2 ** 48, Infinity, null, undefined]) {
    const { seen, program } = world()
    await assert.rejects(flow(program, { ...transfer, validUntil: () => end }), (thrown) => SendoffError.is(thrown) && thrown.issues[0].path === 'transfer.validUntil')
    assert.deepEqual([seen.shown, seen.signed, seen.stored], [[], 0, null])
  }
})

test('what the program got wrong is an error of its own', async () => {
  const { program } = world()
  const paths = async (program, more) => {
    const thrown = await flow(program, { ...transfer, ...more }).catch((thrown) => thrown)
    return SendoffError.is(thrown) ? thrown.issues.map(({ path }) => path) : thrown
  }
  assert.deepEqual(await paths({ ...program, store: undefined }), ['store.get', 'store.swap'])
  assert.deepEqual(await paths({ ...program, send: undefined, nonce: 5 }), ['send', 'nonce'])
  assert.deepEqual(await paths({}), ['estimate', 'show', 'sign', 'send', 'receipt', 'wait', 'store.get', 'store.swap'])
  for (const rounds of [0, -1, 1.5, NaN, '3']) assert.deepEqual(await paths(program, { rounds }), ['transfer.rounds'])
  for (const text of ['', 'null-ish', 'null', '5', '{}', '{"state":5}', '[]']) assert.deepEqual(await paths({ ...program, store: { ...program.store, get: async () => text } }), ['store'])
  assert.deepEqual(await paths(program, { request: { ...request, jobId: undefined } }), ['transfer.request.jobId'])
})

test('methods of a class are a program and a store', async () => {
  const { program } = world()
  const { store, ...functions } = program
  const methodsOf = (functions) => {
    const acts = Object.entries(functions).map(([name, act]) => [name, function (...given) { return this.isOwn && act(...given) }])
    return Object.assign(Object.create(Object.fromEntries(acts)), { isOwn: true })
  }
  const shop = Object.assign(methodsOf(functions), { store: methodsOf(store) })
  assert.equal((await flow(shop, transfer)).outcome, 'succeeded')
})

test('a text that is no JSON object is `unanswered`, and an improper document is `refused`, both with their issues (L7)', async () => {
  const honest = JSON.stringify(estimate(request, facts))
  const outcomeOf = async (text) => {
    const { seen, program } = world()
    const { outcome, issues = [] } = await flow({ ...program, estimate: async () => ({ text }) }, transfer)
    assert.equal(seen.signed, 0)
    return [outcome, issues.length > 0]
  }
  const deep = `{"a":${'['.repeat(100)}${']'.repeat(100)}}`
  const improper = [honest.replace('{', '{"status":"success",'), `${honest} x`, `${honest}{}`, `{}${honest}`, deep, '{}', '{"status":"failure"}', '{"status":"success"}']
  for (const text of improper) assert.deepEqual(await outcomeOf(text), ['refused', true], text.slice(0, 60))
  for (const text of ['', '<html>', 'null', '[]', '3', '"x"', honest.slice(0, -1), '{"a" 1}', undefined, 5]) assert.deepEqual(await outcomeOf(text), ['unanswered', true], String(text).slice(0, 60))
  const { program } = world()
  for (const answer of [new Response(honest), honest, null, undefined]) {
    const { outcome, issues } = await flow({ ...program, estimate: async () => answer }, transfer)
    assert.deepEqual([outcome, issues[0].path], ['unanswered', 'estimate.text'])
  }
})

test('errors of the functions that send and ask are in the outcome (L7)', async () => {
  const cause = new TypeError('undefined is not a function')
  const throws = async () => Promise.reject(cause)
  for (const name of ['send', 'receipt', 'nonce', 'wait']) {
    const { result } = await run({ waits: 2, receipt: async () => null, [name]: throws })
    assert.deepEqual([result.outcome, result.cause], ['open', cause], name)
  }
  // One that is over is not.
  assert.equal((await run({ answers: ['break'] })).result.cause, undefined)
})

test('answers of libraries are understood (L14)', async () => {
  const rejects = (thrown) => () => Promise.reject(thrown)
  const aa24 = { code: -32507, message: 'AA24 signature error' }
  const rpc = Object.assign(new Error('RPC Request failed. nonce replacement'), { code: -32507, cause: aa24 })
  const execution = Object.assign(new Error('AA99'), { cause: rpc })
  for (const thrown of [aa24, rpc, execution, Object.assign(new Error('could not coalesce'), { code: 'UNKNOWN_ERROR', error: aa24 })]) {
    const { result, seen } = await run({ answers: Array(9).fill(rejects(thrown)) })
    assert.deepEqual([result.outcome, result.refusal.reason, result.refusal.message, seen.signed], ['open', 'AA24', 'AA24 signature error', 1])
  }
  const timeout = await run({ answers: [rejects(new DOMException('late', 'TimeoutError'))], waits: 0 })
  assert.deepEqual([timeout.result.refusal, timeout.result.cause.name], [undefined, 'TimeoutError'])

  // A bare hash.
  const bare = world()
  const { send } = bare.program
  bare.program.send = async (operation) => (await send(operation)).result
  assert.deepEqual([(await flow(bare.program, transfer)).outcome, bare.seen.sent.length], ['succeeded', 1])

  // Another hash than ours is taken, and named.
  const { outcome, state, issues } = (await run({ waits: 1, send: async () => ({ result: T }) })).result
  assert.deepEqual([outcome, state.phase, issues[0].path, issues[0].found], ['open', 'accepted', 'send.result', T])

  // No receipt, in viem's way.
  class UserOperationReceiptNotFoundError extends Error {
    name = 'UserOperationReceiptNotFoundError'
  }
  const viem = world()
  const { receipt } = viem.program
  viem.program.receipt = async (hash) => (viem.seen.waits > 2 ? receipt(hash) : Promise.reject(new UserOperationReceiptNotFoundError()))
  const found = await flow(viem.program, transfer)
  assert.deepEqual([found.outcome, found.cause], ['succeeded', undefined])

  // Values that are no answer.
  for (const answer of [{}, { result: null }, { result: 5 }, 'ok', 5, null, { error: { code: 'x' } }, { status: 'success' }]) {
    const { result } = await run({ answers: [() => answer], waits: 0 })
    assert.deepEqual([result.outcome, result.issues.length > 0], ['open', true], JSON.stringify(answer))
  }
})

test('a signature that no key makes is named, and neither kept nor sent (L14)', async () => {
  for (const signature of [`0x${'11'.repeat(64)}`, '0x', '0x1', 'signed', null, 5, undefined]) {
    const { result, seen } = await run({ sign: async () => signature })
    assert.deepEqual([result.outcome, result.issues[0].path, seen.stored], ['declined', 'signature', null], String(signature))
  }
})

test('a raise begins at the highest fees of the job', async () => {
  const { result, seen } = await run({ answers: [UNDERPRICED, AA26, UNDERPRICED], estimates: others })
  assert.equal(result.outcome, 'succeeded')
  const fees = seen.sent.map(({ maxFeePerGas }) => BigInt(maxFeePerGas))
  assert.deepEqual(fees, [1, 1.1, 1, 1.21].map((times) => BigInt(Math.round(Number(fees[0]) * times))))
})
