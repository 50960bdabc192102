// The replies of `sendoff/http`: errors of handlers, refusals, and the text of bodies.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimate, SendoffError } from 'sendoff'
import { bodyText, errorReply, failureReply, refusalReply, Refused } from 'sendoff/http'
import * as demo from './help.mjs'

const { request } = demo

test('an error of a handler is a refusal, or 500 without details', async () => {
  const replied = async (call) => failureReply('trace', await demo.thrown(call))
  const facts = { ...demo.facts, policies: { gsnEnabled: false, sponsorshipEnabled: false } }
  // A key of the caller's that looks like one of the facts is the caller's.
  const bad = await replied(() => estimate({ ...request, 'facts.x': 1 }, facts))
  assert.deepEqual([bad.status, bad.body.error.details.issues[0].path], [400, 'facts.x'])
  const ours = { code: 500, message: 'the server failed: the call may have been carried out', trace_id: 'trace' }
  const headers = { 'content-type': 'application/json' }
  for (const broken of [{ ...facts, userSWA: 'secret' }, 5, '{', undefined]) {
    const body = { status: 'error', error: ours }
    assert.deepEqual(await replied(() => estimate(request, broken)), { status: 500, headers, body })
  }
  for (const other of [new Error('secret'), null, undefined, 'secret', { status: 503 }, { status: '400' }]) {
    assert.deepEqual(failureReply('trace', other).body.error, ours)
  }
  const large = Object.assign(new Error('request entity too large'), { status: 413 })
  const message = 'expected a body within the limit of this server, found a longer one'
  const error = { code: 413, message, trace_id: 'trace' }
  for (const limit of [undefined, 0, 1.5, '1000', 2 ** 32]) assert.deepEqual(failureReply('trace', Object.assign(large, { limit })).body.error, error)
  const { body } = failureReply('trace', Object.assign(large, { limit: 1000 }))
  assert.equal(body.error.message, 'expected a body of at most 1000 bytes, found a longer one')
  for (const status of [400, 415, 499]) {
    const { body } = failureReply('trace', { statusCode: status, message: 'no' })
    assert.deepEqual(body, { status: 'error', error: { code: status, message: 'no', trace_id: 'trace' } })
  }
  for (const status of [304, 399, 500, 400.5]) assert.deepEqual(failureReply('trace', { status, message: 'no' }).body.error, ours)
})

test('a refusal of a handler has the core\'s reply, with a limited number of issues', () => {
  const refused = (refusal) => failureReply('trace', new Refused(refusal))
  for (const refusal of [
    { refused: 'not-enabled', found: 'the chain `eip155:1`' },
    { refused: 'no-backend', operation: 'orders' },
    { refused: 'not-utf8' },
  ])
    assert.deepEqual(refused(refusal), refusalReply('trace', refusal))
  assert.equal(refused({ refused: 'not-enabled', found: 'it' }).body.error.errorCode, 'ER-TECH-0005')
  assert.throws(() => refused({ refused: 'burnt' }), { name: 'SendoffError' })

  // A pair of surrogates where the path is cut, and megabytes of a path.
  for (const [path, shown, length] of [
    ['😀'.repeat(1_000), '😀'.repeat(64), 50_000],
    [`${'x'.repeat(599)}😀`, 'x'.repeat(256), 101],
    ['x'.repeat(2 ** 24), 'x'.repeat(256), 101],
  ]) {
    const begun = process.cpuUsage()
    const issue = { path, code: 'unknown', message: 'expected no such field, found a number' }
    const { status, body } = failureReply('trace', new SendoffError(Array(length).fill(issue)))
    const { issues } = body.error.details
    assert.deepEqual([status, issues.length, issues[0].path], [400, 100, `${shown}…`])
    assert.match(body.error.message, /lists the first 100 of them$/)
    assert(process.cpuUsage(begun).user < 3e6)
  }
})

test('a body is UTF-8, and a byte order mark is kept', () => {
  assert.deepEqual([bodyText(), bodyText(null), bodyText(new Uint8Array())], ['', '', ''])
  const bytes = new TextEncoder().encode('\ufeff{"é":"😀"}')
  for (const body of [bytes, bytes.buffer, new DataView(bytes.buffer)]) assert.equal(bodyText(body), '\ufeff{"é":"😀"}')
  for (const broken of [[0xe9], [0xc3], [0xed, 0xa0, 0x80]]) {
    assert.throws(() => bodyText(new Uint8Array(broken)), ({ refusal }) => refusal.refused === 'not-utf8')
  }
})

test('an error reply of the host has the envelope\'s order of keys', () => {
  const { status, headers, body } = errorReply('trace', 400, 'no', {
    errorCode: 'ER-TECH-0005',
    details: { network: 1 },
    headers: { 'retry-after': '1' },
  })
  assert.deepEqual([status, headers], [400, { 'content-type': 'application/json', 'retry-after': '1' }])
  const error = '{"code":400,"errorCode":"ER-TECH-0005","message":"no","trace_id":"trace","details":{"network":1}}'
  assert.equal(JSON.stringify(body), `{"status":"error","error":${error}}`)
})
