// Prism, a mock that answers from a document: it takes every valid estimate and refuses others.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { file, path, REQUEST } from './ground.mjs'

const { details } = REQUEST
const INTENTS = [
  REQUEST,
  { ...REQUEST, type: 'TOKEN_TRANSFER', details: { caip2Id: details.caip2Id, recipientWalletAddress: details.recipientWalletAddress, tokenAddress: '', amount: '7' } },
  { ...REQUEST, type: 'RAW_TRANSACTION', details: { caip2Id: details.caip2Id, transactions: [{ from: details.collectionAddress, to: details.collectionAddress, data: '0x', value: '0x1' }] } },
]

test('Prism answers every valid estimate with 200, and others with 422', { timeout: 120_000 }, async (t) => {
  const prism = spawn(path('node_modules/.bin/prism'), ['mock', file('openapi'), '-h', '127.0.0.1', '-p', '0', '--errors'], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => prism.kill())
  let url
  for await (const line of createInterface({ input: prism.stdout })) if ((url = /listening on (http:\S+)/.exec(line)?.[1])) break
  const ask = async (body, headers = { authorization: 'Bearer token' }) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
    return (await fetch(`${url}/api/oc/v1/estimate`, init)).status
  }
  for (const request of INTENTS) assert.equal(await ask(request), 200, request.type)
  for (const wrong of [{}, { ...REQUEST, more: 1 }, { ...REQUEST, jobId: '1' }, { ...REQUEST, details: { ...details, amount: '2' } }]) assert.equal(await ask(wrong), 422)
  assert.equal(await ask(REQUEST, {}), 401)
})
