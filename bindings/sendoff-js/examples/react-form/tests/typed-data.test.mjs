// What a wallet signs as typed data, by viem.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimate, signable } from 'sendoff'
import { demo } from 'sendoff/testing'
import { hashTypedData } from 'viem'

test('the hash of typed data is the hash of the operation', () => {
  const { request, facts, deployment } = demo
  for (const version of ['0.8', '0.9']) {
    const { typedData, hash } = signable(request, estimate(request, facts), { ...deployment, version, signs: 'typedData' })
    assert.equal(hashTypedData(typedData), hash)
  }
})
