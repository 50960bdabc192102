// What two writers do to one store at once, in Node and in a page.

import { estimate, userOpHash } from 'sendoff'
import { demo } from 'sendoff/testing'
import { transfers } from '../transfers.mjs'

const job = (number) => `${number.toString(16).padStart(8, '0')}-0000-4000-0000-000000000000`
const { request, facts, deployment: { expect, ...deployment } } = demo
const { entryPoint, chainId, version, gasFeeOrder } = deployment

/** Adds one to a stored number, `times` times. Returns how often another writer was faster. */
export async function count(store, intent, times) {
  const { get, swap } = store(intent)
  let lost = 0
  for (let done = 0; done < times; ) {
    const before = await get()
    if (await swap(before, String(Number(before ?? 0) + 1))) done++
    else lost++
  }
  return lost
}

/** A service and a bundler that executes what it takes. `answers` are those to operations, in order, before it takes one. */
function world(store, { answers = [], waits = Infinity, executed = new Set(), ...more } = {}) {
  const seen = { sent: [], estimates: 0 }
  const bundle = ({ method, params: [first] }) => {
    if (method === 'eth_getUserOperationReceipt') {
      const receipt = { userOpHash: first, success: true, actualGasCost: '0x64', actualGasUsed: '0x5' }
      return { result: executed.has(first) ? receipt : null }
    }
    seen.sent.push(first.nonce)
    const answer = answers.shift()
    if (answer) return answer()
    const hash = userOpHash(first, { entryPoint, chainId, version, gasFeeOrder })
    executed.add(hash)
    return { result: hash }
  }
  const transfer = transfers({
    service: 'https://service.example',
    bundler: 'https://bundler.example',
    token: 'a-token',
    deployment,
    store,
    approve: () => true,
    sign: () => `0x${'11'.repeat(64)}1b`,
    validUntil: () => 1_000,
    sleep: async () => {
      if ((waits -= 1) < 0) throw new Error('gives up')
    },
    fetch: async (url, { body }) => {
      if (url === 'https://bundler.example') return Response.json(bundle(JSON.parse(body)))
      // Each estimate is another operation.
      const callGasLimit = `0x${(600_000 + (seen.estimates += 1)).toString(16)}`
      return Response.json(estimate(body, { ...facts, gasLimits: { ...facts.gasLimits, callGasLimit } }))
    },
    ...more,
  })
  return { seen, transfer: (intent, jobId) => transfer(intent, { ...request, jobId }) }
}

/** Each writer starts a job of its own for each intent. Returns the nonces that this one sent, by intent. */
export async function start(store, writer, intents) {
  const sent = []
  for (let intent = 0; intent < intents; intent++) {
    const { seen, transfer } = world(store)
    let outcome
    // The other writer's job was first: this one goes on with it.
    do ({ outcome } = await transfer(`intent ${intent}`, job(2 * intent + writer)))
    while (outcome === 'elsewhere')
    if (outcome !== 'succeeded') throw new Error(`intent ${intent}: ${outcome}`)
    sent.push([...new Set(seen.sent)])
  }
  return sent
}

/** The number of jobs that both writers sent, by intent. */
export const jobs = (one, other) => one.map((sent, intent) => new Set([...sent, ...other[intent]]).size)

/** The way of one intent: refused, replaced and lost, over, and then another job. Returns the outcomes, and the jobs of what was sent. */
export async function retry(store, intent) {
  const lost = () => {
    throw new Error('the connection broke')
  }
  const refused = () => ({ error: { code: -32500, message: 'AA26 over verificationGasLimit' } })
  const [executed, outcomes, sent] = [new Set(), [], []]
  const carryOut = async (number, options) => {
    const { seen, transfer } = world(store, { executed, ...options })
    const { outcome } = await transfer(intent, job(number))
    outcomes.push(outcome)
    sent.push(...seen.sent.map((nonce) => Number.parseInt(nonce.slice(-32, -24), 16)))
  }

  await carryOut(1, { answers: [refused, lost], waits: 1 })
  // Another job is not sent while this one can be executed.
  await carryOut(2, { answers: [lost], waits: 1 })
  await carryOut(2, { nonce: async () => ({ used: false, now: 1_001 }), waits: 0 })
  await carryOut(2)
  // It is settled: nothing is sent any more.
  await carryOut(3, { waits: 0 })
  return { outcomes, sent }
}

export const EXPECTED = { outcomes: ['open', 'open', 'expired', 'succeeded', 'succeeded'], sent: [1, 1, 1, 2] }
