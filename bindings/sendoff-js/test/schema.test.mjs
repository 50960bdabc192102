import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sValidator } from '@hono/standard-validator'
import { FormApi } from '@tanstack/form-core'
import { Hono } from 'hono'
import * as sendoff from 'sendoff'

const { EstimateRequest, Facts, PaymasterGrant, UserOp, Window } = sendoff
const demo = (name) => JSON.parse(readFileSync(new URL(`../../../tests/demo/${name}.json`, import.meta.url), 'utf8'))
const [request, facts] = [demo('request'), demo('facts')]

const validate = (schema, value) => schema['~standard'].validate(value)
const paths = ({ issues }) => issues.map(({ path }) => path)

test('a valid value is returned itself', () => {
  const result = validate(EstimateRequest, request)
  assert.deepEqual(Object.keys(result), ['value'])
  assert.equal(result.value, request)
})

test('there is a schema for each kind of document, and each names its vendor', () => {
  const schemas = Object.entries(sendoff).filter(([, value]) => value?.['~standard'])
  const kinds = sendoff.safeCheckDocument('', {}).issues[0].message.match(/`[A-Z]\w+`/g)
  assert.deepEqual(schemas.map(([name]) => `\`${name}\``).sort(), kinds.sort())
  for (const [name, schema] of schemas) {
    const { version, vendor } = schema['~standard']
    assert.deepEqual({ version, vendor }, { version: 1, vendor: 'sendoff' })
    const own = sendoff.safeCheckDocument(name, []).issues.map(({ message }) => ({ message, path: [] }))
    assert.deepEqual(validate(schema, []), { issues: own })
  }
})

test('a path is keys, and numbers in arrays', () => {
  const transaction = { from: facts.userSWA, to: facts.userSWA, data: '0x', value: '0x0' }
  const details = { caip2Id: 'eip155:137', transactions: [transaction, { ...transaction, value: '0' }] }
  const raw = { ...request, type: 'RAW_TRANSACTION', details }
  assert.deepEqual(paths(validate(EstimateRequest, raw)), [['details', 'transactions', 1, 'value']])
  const fees = { approxTransactionFeesInUSDT: '', transactionFees: { 'eip155:137': 5 } }
  assert.deepEqual(paths(validate(Facts, { ...facts, fees })), [['fees', 'transactionFees', 'eip155:137']])
  assert.deepEqual(paths(validate(Window, 5)), [[]])
})

test('a value is its own fields: no JSON text, no toJSON, no class with another meaning', () => {
  const grant = { jobId: request.jobId, clientSWA: facts.clientSWA, validUntil: 2, validAfter: 1 }
  assert.deepEqual(validate(PaymasterGrant, grant), { value: grant })
  const others = [JSON.stringify(grant), { toJSON: () => grant }, Object.create(grant), new Map(Object.entries(grant))]
  for (const other of others) assert(validate(PaymasterGrant, other).issues.length > 0)
  const spoken = { ...grant, jobId: { toJSON: () => grant.jobId } }
  assert.deepEqual(paths(validate(PaymasterGrant, spoken)), [['jobId']])
  // JSON would leave these out, and then nothing were wrong.
  for (const fees of [() => 5, Symbol('fees')]) assert.deepEqual(paths(validate(Facts, { ...facts, fees })), [['fees']])
  assert.equal(validate(Facts, { ...facts, fees: undefined }).issues, undefined)
})

test('a route of Hono refuses with these issues, and goes on with the typed body', async () => {
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
  assert.deepEqual((await refused.json()).error, [{ message, path: ['jobId'] }])
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
