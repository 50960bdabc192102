// `sendoff/flow`: the loop against a service, a bundler and a chain that do anything.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { estimate, userOpHash } from 'sendoff'
import { flow } from 'sendoff/flow'

const demo = (name) => JSON.parse(readFileSync(new URL(`../../../tests/demo/${name}.json`, import.meta.url), 'utf8'))
const [request, facts, deployment] = ['request', 'facts', 'deployment'].map(demo)
const { entryPoint, chainId, version, gasFeeOrder } = deployment
const hashOf = (operation) => userOpHash(operation, { entryPoint, chainId, version, gasFeeOrder })
const SIGNATURE = `0x${'11'.repeat(64)}1b`
const error = (code, message) => ({ jsonrpc: '2.0', id: 1, error: { code, message } })

/** Everything around the loop. `answers` are those to `send`, in order; then the bundler takes the operation and executes it. */
function world({ answers = [], waits = 50, ...more } = {}) {
  const seen = { estimates: [], sent: [], shown: 0, waits: 0, stored: null, executed: undefined, jobs: new Set() }
  const program = {
    estimate: async (asked) => {
      seen.estimates.push(asked)
      seen.jobs.add(asked.jobId)
      return { text: JSON.stringify(estimate(asked, facts)) }
    },
    show: () => (seen.shown += 1) > 0,
    sign: async () => SIGNATURE,
    send: async (operation) => {
      seen.sent.push(operation)
      const answer = answers.shift()
      if (answer === 'break') throw new Error('the connection broke')
      if (answer) return answer
      seen.executed ??= operation
      return { jsonrpc: '2.0', id: 1, result: hashOf(operation) }
    },
    receipt: async (hash) =>
      seen.executed && hashOf(seen.executed) === hash
        ? { userOpHash: hash, success: true, actualGasCost: '0x64', actualGasUsed: '0x5' }
        : null,
    wait: async () => (seen.waits += 1) <= waits,
    store: {
      get: async () => seen.stored,
      swap: async (before, after) => {
        if (seen.stored !== before) return false
        seen.stored = after
        return true
      },
    },
    ...more,
  }
  return { seen, program }
}

const transfer = { request, deployment }

test('a transfer goes from the request to the receipt', async () => {
  const { seen, program } = world()
  const result = await flow(program, transfer)
  assert.deepEqual([result.outcome, result.receipt.actualGasCost], ['succeeded', '100'])
  const { signature, ...operation } = seen.sent[0]
  assert.equal(signature, SIGNATURE)
  assert.deepEqual(operation, estimate(request, facts).data.userOps)
  assert.deepEqual([seen.sent.length, seen.shown], [1, 1])
})

test('a later call of a settled transfer sends nothing', async () => {
  const { seen, program } = world()
  await flow(program, transfer)
  const again = await flow(program, { ...transfer, request: { ...request, jobId: 'e4fb7f8b-d19d-4785-94af-4b911469a3b0' } })
  assert.deepEqual([again.outcome, seen.sent.length, seen.jobs.size], ['succeeded', 1, 1])
})

test('what a bundler refuses is changed, replaced or sent again, in the same job', async () => {
  const { seen, program } = world({
    answers: [error(-32500, 'AA26 over verificationGasLimit'), error(-32000, 'replacement transaction underpriced'), error(-32504, 'throttled')],
  })
  let fees = 0
  program.estimate = async (asked) => {
    seen.estimates.push(asked)
    seen.jobs.add(asked.jobId)
    const gasLimits = { ...facts.gasLimits, callGasLimit: `0x${(800_000 + (fees += 1)).toString(16)}` }
    return { text: JSON.stringify(estimate(asked, { ...facts, gasLimits })) }
  }
  const result = await flow(program, transfer)
  assert.equal(result.outcome, 'succeeded')
  assert.equal(seen.jobs.size, 1)
  const caps = seen.sent.map(({ maxFeePerGas }) => BigInt(maxFeePerGas))
  const cap = BigInt(request.gasDetails.maxFeePerGas)
  // The same fees, higher ones for the replacement, and then the same operation once more.
  assert.deepEqual(caps, [cap, cap, (cap * 110n + 99n) / 100n, (cap * 110n + 99n) / 100n])
  assert.deepEqual(seen.sent[3], seen.sent[2])
  assert.equal(new Set(seen.sent.map(({ nonce }) => nonce)).size, 1)
  assert.equal(seen.waits, 1)
})

test('a lost answer leads to a question, and then to the same operation', async () => {
  const { seen, program } = world({ answers: ['break', 'break'] })
  assert.equal((await flow(program, transfer)).outcome, 'succeeded')
  assert.deepEqual(seen.sent.map(hashOf), Array(3).fill(hashOf(seen.sent[0])))
  assert.equal(seen.shown, 1)

  // The operation was executed although its answer was lost: it is not sent again.
  const lost = world()
  const { send } = lost.program
  lost.program.send = async (operation) => {
    await send(operation)
    throw new Error('the connection broke')
  }
  assert.equal((await flow(lost.program, transfer)).outcome, 'succeeded')
  assert.equal(lost.seen.sent.length, 1)
})

test('nothing is signed that does not match the request, and nothing that the person declines', async () => {
  const { seen, program } = world()
  const stranger = (asked) => ({ ...asked, details: { ...asked.details, recipientWalletAddress: deployment.clientSWA } })
  const swapped = { ...program, estimate: async (asked) => ({ text: JSON.stringify(estimate(stranger(asked), facts)) }) }
  const refused = await flow(swapped, transfer)
  assert.equal(refused.outcome, 'refused')
  assert(refused.issues.some(({ field }) => field === 'intent.details.recipientWalletAddress'))
  assert.deepEqual(await flow({ ...program, show: () => false }, transfer), { outcome: 'declined' })
  const limited = { status: 'error', error: { code: 429, message: 'slow down' } }
  const unanswered = await flow({ ...program, estimate: async () => ({ text: JSON.stringify(limited), retryAfter: '17' }) }, transfer)
  assert.deepEqual([unanswered.outcome, unanswered.reply.code, unanswered.reply.retryAfter], ['unanswered', 429, 17])
  assert.deepEqual(await flow({ ...program, estimate: async () => Promise.reject(new Error()) }, transfer), { outcome: 'unanswered', reply: undefined })
  assert.deepEqual([seen.sent, seen.stored], [[], null])
})

test('after something was sent, a reply that does not match leaves the transfer open: the operation can still be executed', async () => {
  const { seen, program } = world({ answers: [error(-32500, 'AA26 over verificationGasLimit')] })
  const honest = program.estimate
  program.estimate = (asked) =>
    seen.sent.length === 0 ? honest(asked) : honest({ ...asked, details: { ...asked.details, recipientWalletAddress: deployment.clientSWA } })
  const { outcome, issues, state } = await flow(program, transfer)
  assert.deepEqual([outcome, state.jobId, state.phase], ['open', request.jobId, 'unknown'])
  assert(issues.some(({ field }) => field === 'intent.details.recipientWalletAddress'))
  assert.equal(seen.sent.length, 1)
})

test('a wallet that refuses, or throws, has declined; a function that throws is a lost connection', async () => {
  const throws = () => {
    throw new Error('no')
  }
  const { seen, program } = world()
  for (const more of [{ sign: throws }, { sign: async () => throws() }, { show: throws }])
    assert.deepEqual(await flow({ ...program, ...more }, transfer), { outcome: 'declined' })
  assert.deepEqual(await flow({ ...program, estimate: throws }, transfer), { outcome: 'unanswered', reply: undefined })
  assert.deepEqual([seen.sent, seen.stored], [[], null])
  assert.equal((await flow({ ...program, send: throws, wait: throws }, transfer)).outcome, 'open')
  assert.equal((await flow({ ...program, nonce: throws }, transfer)).outcome, 'succeeded')
})

test('another job begins only after a finalized block says that this one can never be executed', async () => {
  const { seen, program } = world({ answers: ['break', 'break'], waits: 1 })
  const until = { ...transfer, validUntil: () => 1_000 }
  const other = { ...until, request: { ...request, jobId: 'e4fb7f8b-d19d-4785-94af-4b911469a3b0' } }
  assert.equal((await flow(program, until)).outcome, 'open')
  assert.equal((await flow(program, other)).outcome, 'open')
  assert.equal(seen.jobs.size, 1)
  program.nonce = async () => ({ used: false, now: 1_001 })
  program.wait = async () => true
  assert.deepEqual(await flow(program, until), { outcome: 'expired' })
  assert.equal((await flow(program, other)).outcome, 'succeeded')
  assert.equal(seen.jobs.size, 2)
})

test('it can be interrupted at every moment, by two tabs, and executes one job', async () => {
  // A generator of its own, so that a failure can be repeated.
  let seed = 1
  const dice = (sides) => (seed = (seed * 48271) % 2147483647) % sides
  let settled = 0
  for (let round = 0; round < 300; round += 1) {
    const { seen, program } = world()
    const crash = () => {
      if (dice(4) === 0) throw new Error('crash')
    }
    // What interrupts the program is no rejection of a function: nothing after it is run.
    const forever = new Promise(() => {})
    const kept = { ...program }
    const interrupted = {
      ...program,
      estimate: (asked) => (dice(8) ? kept.estimate(asked) : forever),
      sign: () => (dice(8) ? kept.sign() : forever),
      send: async (operation) => {
        crash()
        const answer = dice(3) ? await kept.send(operation) : error([-32500, -32504, -32000][dice(3)], ['AA21', 'AA33', 'AA25', 'replacement underpriced', 'x'][dice(5)])
        if (!dice(6)) await forever
        crash()
        return answer
      },
      receipt: async (hash) => (dice(3) ? kept.receipt(hash) : null),
      wait: async () => dice(6) > 0,
    }
    for (let run = 0; run < 12; run += 1) {
      const tab = () => {
        const jobId = `00000000-0000-4000-8000-${String(round * 100 + run).padStart(12, '0')}`
        const running = flow(interrupted, { ...transfer, request: { ...request, jobId } })
        return Promise.race([running, new Promise((resolve) => setImmediate(() => setImmediate(() => resolve({ outcome: 'interrupted' }))))])
      }
      await Promise.all([tab(), tab()])
    }
    // Every operation that went out has the nonce of one job.
    assert(new Set(seen.sent.map(({ nonce }) => nonce)).size <= 1, `round ${round}`)
    const last = await flow(program, transfer)
    if (last.outcome === 'succeeded') settled += 1
    assert(new Set(seen.sent.map(({ nonce }) => nonce)).size <= 1, `round ${round}`)
  }
  assert(settled > 200, `${settled} transfers were settled`)
})
