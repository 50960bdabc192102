// Prism, a mock that answers from a document: it takes every valid estimate and refuses others.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { file, path, REQUEST } from './ground.mjs'

/** The address of Prism with a document. */
async function prism(t, name) {
  const child = spawn(path('node_modules/.bin/prism'), ['mock', file(name), '-h', '127.0.0.1', '-p', '0', '--errors'], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill())
  let said = ''
  return new Promise((resolve, reject) => {
    child.on('exit', () => reject(new Error(said)))
    child.stdout.on('data', (part) => {
      said += part
      const [, address] = /listening on (http:\S+)/.exec(said) ?? []
      if (address) resolve(address)
    })
  })
}

const { details } = REQUEST
const INTENTS = [
  REQUEST,
  { ...REQUEST, type: 'TOKEN_TRANSFER', details: { caip2Id: details.caip2Id, recipientWalletAddress: details.recipientWalletAddress, tokenAddress: '', amount: '7' } },
  { ...REQUEST, type: 'RAW_TRANSACTION', details: { caip2Id: details.caip2Id, transactions: [{ from: details.collectionAddress, to: details.collectionAddress, data: '0x', value: '0x1' }] } },
]

test('Prism answers every valid estimate with 200, and others with 422', { timeout: 120_000 }, async (t) => {
  const url = `${await prism(t, 'openapi')}/api/oc/v1/estimate`
  const ask = (body, headers = { authorization: 'Bearer token' }) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  for (const request of INTENTS) {
    const reply = await ask(request)
    assert.equal(reply.status, 200, `${request.type}: ${await reply.text()}`)
  }
  for (const request of [{}, { ...REQUEST, more: 1 }, { ...REQUEST, jobId: '1' }, { ...REQUEST, details: { ...details, amount: '2' } }]) {
    assert.equal((await ask(request)).status, 422)
  }
  assert.equal((await ask(REQUEST, {})).status, 401)
})

test('Prism answers the other operations', { timeout: 120_000 }, async (t) => {
  const url = await prism(t, 'openapi-okto-v1')
  const reply = await fetch(`${url}/api/v1/transfer/tokens/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
    body: JSON.stringify({ network_name: 'POLYGON', token_address: '', quantity: '1', recipient_address: details.recipientWalletAddress }),
  })
  assert.equal(reply.status, 201, await reply.text())
})
