// The entry `sendoff/testing`: its judge. docs/testing/lies.md has clients that sign, and runs them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeSignable } from 'sendoff'
import { Sandbox } from 'sendoff/sandbox'
import { againstLies } from 'sendoff/testing'

const estimated = ({ url, fetch, request, token }) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(`${url}/api/oc/v1/estimate`, { method: 'POST', headers, body: JSON.stringify(request) })
}

test('a client that verifies refuses every estimate that lies', async () => {
  const names = Sandbox.lies().filter(({ on }) => on === 'estimate').map(({ name }) => name)
  assert(names.length >= 30)
  const { honest, results, swallowed } = await againstLies(async (world) => {
    const reply = await estimated(world)
    return safeSignable(world.request, await reply.text(), world.deployment).ok ? 'unknown' : 'refused'
  }, names)
  assert.equal(honest, 'the client says `unknown`')
  // The others are told of batches, of NFTs and of a fee payer.
  const others = ['transaction-added', 'transaction-left-out', 'transactions-reordered', 'amounts-with-the-same-sum', 'fee-payer-left-out',
    'ambiguous-transaction', 'amount-of-a-single-nft', 'nft-id-in-another-base', 'nft-standard-swapped']
  const told = names.filter((name) => !others.includes(name))
  assert.deepEqual(results.map(({ lie, outcome }) => [lie, outcome]), told.map((name) => [name, 'refused']))
  assert.deepEqual(swallowed, [])
})

test('who says what is not so was deceived', async () => {
  const names = ['timeout-before', 'unavailable', 'recipient-swapped']
  const boasts = await againstLies(async (world) => (await estimated(world).catch(() => {}), 'succeeded'), names)
  assert.equal(boasts.honest, 'the client says `succeeded`, and nothing was moved')
  assert.equal(boasts.swallowed.length, boasts.results.length)
  assert.deepEqual(boasts.results.map(({ lie, at }) => `${lie} ${at}`), ['recipient-swapped estimate', 'unavailable estimate', 'timeout-before estimate'])

  // A test of a lie that is never told would be green.
  for (const name of ['white-lie', 'list-null']) {
    await assert.rejects(againstLies(async () => 'unknown', [name]), new RegExp(`expected a lie that is told to a transfer, found "${name}"`))
  }

  const waits = await againstLies(async (world) => {
    await estimated(world)
    for (;;) await world.sleep(60_000)
  }, ['unavailable'])
  assert.equal(waits.honest, 'the client never ends')
})
