import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sValidator } from '@hono/standard-validator'
import { FormApi } from '@tanstack/form-core'
import { Hono } from 'hono'
import * as sendoff from 'sendoff'
import { suites } from '../suite-files.mjs'
import { deployment, facts, request } from './help.mjs'

const { EstimateRequest, Facts, NftTransferRequest, PaymasterGrant, UserOp, Window } = sendoff

/** The schema of each intent, with the type and the details of a vector. */
const INTENTS = Object.fromEntries(suites([]).flatMap(({ cases }) => cases)
  .filter(({ call, args, ok }) => call === 'estimate' && ok && typeof args[0] === 'object').reverse()
  .map(({ args: [{ type, details }] }) => [requestOf(type), [type, details]]))

function requestOf(type) {
  const words = type.split('_').map((word) => word[0] + word.slice(1).toLowerCase())
  return `${words.join('')}Request`
}

const validate = (schema, value) => schema['~standard'].validate(value)
const paths = ({ issues }) => issues.map(({ path }) => path)

test('a valid value is returned itself', () => {
  const result = validate(EstimateRequest, request)
  assert.deepEqual(Object.keys(result), ['value'])
  assert.equal(result.value, request)
})

test('each kind of document has a schema with a vendor', () => {
  const all = Object.entries(sendoff).filter(([, value]) => value?.['~standard'])
  const schemas = all.filter(([name]) => !INTENTS[name])
  assert.equal(all.length, schemas.length + Object.keys(INTENTS).length)
  const kinds = sendoff.safeCheckDocument('', {}).issues[0].message.match(/`[A-Z]\w+`/g)
  assert.deepEqual(schemas.map(([name]) => `\`${name}\``).sort(), kinds.sort())
  for (const [name, schema] of schemas) {
    const { version, vendor } = schema['~standard']
    assert.deepEqual({ version, vendor }, { version: 1, vendor: 'sendoff' })
    const issues = sendoff.safeCheckDocument(name, []).issues.map((issue) => ({ ...issue, path: [] }))
    assert.deepEqual(validate(schema, []), { issues })
  }
})

test('each schema has its JSON Schema, whole, in two versions', () => {
  const begins = { 'draft-2020-12': 'https://json-schema.org/draft/2020-12/schema', 'draft-07': 'http://json-schema.org/draft-07/schema#' }
  for (const { '~standard': { jsonSchema } } of Object.values(sendoff).filter((value) => value?.['~standard'])) {
    for (const [target, begin] of Object.entries(begins)) {
      const found = jsonSchema.input({ target })
      assert.deepEqual([found.$schema, jsonSchema.output({ target })], [begin, found])
      assert(!JSON.stringify(found).includes('$ref'))
    }
    for (const target of ['draft-04', 'openapi-3.0', 'toString', undefined]) assert.throws(() => jsonSchema.input({ target }), TypeError)
  }
  const form = sendoff.inWords(sendoff.inTokens(sendoff.TokenTransferRequest, () => 6))['~standard'].jsonSchema
  assert.deepEqual(form.output({ target: 'draft-07' }), sendoff.TokenTransferRequest['~standard'].jsonSchema.output({ target: 'draft-07' }))
  assert.throws(() => form.input({ target: 'draft-07' }), /an amount in tokens/)
})

test('a path consists of keys, and of numbers in arrays', () => {
  const transaction = { from: facts.userSWA, to: facts.userSWA, data: '0x', value: '0x0' }
  const details = { caip2Id: 'eip155:137', transactions: [transaction, { ...transaction, value: '0' }] }
  const raw = { ...request, type: 'RAW_TRANSACTION', details }
  assert.deepEqual(paths(validate(EstimateRequest, raw)), [['details', 'transactions', 1, 'value']])
  const fees = { approxTransactionFeesInUSDT: '', transactionFees: { 'eip155:137': 5 } }
  assert.deepEqual(paths(validate(Facts, { ...facts, fees })), [['fees', 'transactionFees', 'eip155:137']])
  const keys = { ...fees, transactionFees: { '1a': 5 } }
  assert.deepEqual(paths(validate(Facts, { ...facts, fees: keys })), [['fees', 'transactionFees', '1a']])
  const eleven = [...Array(10).fill(transaction), { ...transaction, value: '0' }]
  assert.deepEqual(paths(validate(EstimateRequest, { ...raw, details: { ...details, transactions: eleven } })), [['details', 'transactions', 10, 'value']])
  assert.deepEqual(paths(validate(Window, 5)), [[]])
})

test('only own fields of a value count: no JSON text, no toJSON, no class instances', () => {
  const grant = { jobId: request.jobId, clientSWA: facts.clientSWA, validUntil: 2, validAfter: 1 }
  assert.deepEqual(validate(PaymasterGrant, grant), { value: grant })
  const others = [JSON.stringify(grant), { toJSON: () => grant }, Object.create(grant), new Map(Object.entries(grant))]
  for (const other of others) assert(validate(PaymasterGrant, other).issues.length > 0)
  const spoken = { ...grant, jobId: { toJSON: () => grant.jobId } }
  assert.deepEqual(paths(validate(PaymasterGrant, spoken)), [['jobId']])
  // JSON would omit these, and the document would be valid.
  for (const fees of [() => 5, Symbol('fees')]) assert.deepEqual(paths(validate(Facts, { ...facts, fees })), [['fees']])
  assert.equal(validate(Facts, { ...facts, fees: undefined }).issues, undefined)
})

for (const [name, [type, details]] of Object.entries(INTENTS)) {
  test(`${name} is the request of one intent`, () => {
    const own = { ...request, type, details }
    const result = validate(sendoff[name], own)
    assert.deepEqual(result, { value: own })
    assert.equal(result.value, own)
    // The details are checked for the intent of the form, whatever the value's type is.
    for (const [other, code, found] of [
      ['SWAP', 'format', 'SWAP'], ['', 'empty', ''], [undefined, 'missing'], [5, 'type'], [5n, 'type'], ['a\u202e`', 'format'],
    ]) {
      const { issues } = validate(sendoff[name], { ...own, type: other, details: { ...details, caip2Id: '' } })
      const [wrong, ...others] = issues
      assert.deepEqual([wrong.path, wrong.code, wrong.expected, wrong.found], [['type'], code, type, found])
      assert.deepEqual(paths({ issues: others }), [['details', 'caip2Id']])
    }
    const missing = validate(sendoff[name], { type }).issues
    assert.deepEqual(missing.map(({ code }) => code), Array(missing.length).fill('missing'))
    assert.deepEqual(validate(sendoff[name], {}).issues.slice(1), missing)
    assert.equal(validate(sendoff[name], {}).issues[0].message, `expected \`${type}\`, found nothing`)
    assert.deepEqual(paths(validate(sendoff[name], { ...own, details: { ...details, type } })), [['details', 'type']])
    for (const none of [null, undefined, [], 5, 5n, 'text', JSON.stringify(own), () => own]) {
      const { issues } = validate(sendoff[name], none)
      assert.deepEqual(issues.map(({ path, code }) => [path, code]), [[[], 'type']])
    }
  })
}

test('an issue has a code, the name of the expected type, and the text that was found', () => {
  const details = { ...request.details, recipientWalletAddress: '', nftId: 'x', amount: 5n, nftType: 7, note: () => 1 }
  const gasDetails = { maxFeePerGas: 1n, maxPriorityFeePerGas: '0x01' }
  const { issues } = validate(NftTransferRequest, { ...request, details, gasDetails, jobId: undefined })
  const found = issues.map(({ path, code, kind, note, found }) => [path.join('.'), code, kind, note, found])
  assert.deepEqual(found.sort(), [
    ['details.amount', 'type', 'Amount', undefined, undefined],
    ['details.nftId', 'format', 'NftId', undefined, 'x'],
    ['details.nftType', 'type', 'NftType', undefined, undefined],
    ['details.note', 'unknown', undefined, undefined, undefined],
    ['details.recipientWalletAddress', 'empty', 'Address', undefined, ''],
    ['gasDetails.maxFeePerGas', 'type', 'Quantity128', undefined, undefined],
    ['gasDetails.maxPriorityFeePerGas', 'format', 'Quantity128', 'leading-zero', '0x01'],
    ['jobId', 'missing', 'JobId', undefined, undefined],
  ])
})

test('an optional field that a form left blank is absent', () => {
  for (const blank of ['', null]) {
    const form = { ...request, feePayerAddress: blank }
    for (const schema of [sendoff.EstimateRequest, NftTransferRequest]) assert.deepEqual(validate(schema, form), { value: request })
    assert.equal(form.feePayerAddress, blank)
    // A required one is not, and other problems stay.
    const { issues } = validate(NftTransferRequest, { ...form, jobId: blank, paymasterData: '0' })
    assert.deepEqual(issues.map(({ path }) => path.join('.')).sort(), ['jobId', 'paymasterData'])
  }
  const within = validate(sendoff.Deployment, { ...deployment, expect: { userSWA: '', maxCost: null } })
  assert.deepEqual(within, { value: { ...deployment, expect: {} } })
})

test('a route of Hono refuses with these issues, or gets the typed body', async () => {
  const app = new Hono()
  const answer = (c) => c.json(sendoff.estimate(c.req.valid('json'), facts))
  app.post('/estimate', sValidator('json', EstimateRequest), answer)
  const post = (body) => {
    const headers = { 'content-type': 'application/json' }
    return app.request('/estimate', { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const answered = await post(request)
  assert.equal(answered.status, 200)
  assert.deepEqual(await answered.json(), sendoff.estimate(request, facts))
  const refused = await post({ ...request, jobId: '7' })
  assert.equal(refused.status, 400)
  const message = 'expected a UUID (8-4-4-4-12 hex digits with hyphens), found `7`'
  assert.deepEqual((await refused.json()).error, [{ path: ['jobId'], code: 'format', message, found: '7', kind: 'JobId' }])
})

test('a form of TanStack shows each issue at its field', () => {
  const op = { sender: '0x5', nonce: '0x7', callData: '0x', callGasLimit: '0x1', verificationGasLimit: '0x1' }
  const gas = { preVerificationGas: '0x1', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' }
  const form = new FormApi({ defaultValues: { ...op, ...gas }, validators: { onChange: UserOp } })
  form.mount()
  form.setFieldValue('nonce', '7')
  assert.deepEqual(Object.keys(form.state.errorMap.onChange).sort(), ['nonce', 'sender'])
  assert.match(form.state.errorMap.onChange.nonce[0].message, /^expected .*, found `7`$/)
  form.setFieldValue('sender', `0x${'56'.repeat(20)}`)
  form.setFieldValue('nonce', '0x7')
  assert.equal(form.state.canSubmit, true)
})
