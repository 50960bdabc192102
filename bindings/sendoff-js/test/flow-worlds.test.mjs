// The loop in every world near the usual one: two callers that share a store, a service, a bundler and a chain. At each moment
// something is chosen that can happen next: the usual first. All runs are visited that differ from the usual one in at most `MOST`
// choices. SENDOFF_ALL=1 visits one more.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { estimate, userOpHash } from 'sendoff'
import { flow } from 'sendoff/flow'

const MOST = process.env.SENDOFF_ALL ? 3 : 2
/** Choices after this number are the usual ones. */
const STEPS = 22

const demo = (name) => JSON.parse(readFileSync(new URL(`../../../tests/demo/${name}.json`, import.meta.url), 'utf8'))
const [request, facts, deployment] = ['request', 'facts', 'deployment'].map(demo)
const { entryPoint, chainId, version, gasFeeOrder } = deployment
const hashOf = (operation) => userOpHash(operation, { entryPoint, chainId, version, gasFeeOrder })
const SIGNATURE = `0x${'11'.repeat(64)}1b`
const job = (number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`
const nonceOf = (jobId) => `0x${jobId.replaceAll('-', '').padStart(64, '0')}`
const refusal = (code, message) => ({ jsonrpc: '2.0', id: 1, error: { code, message } })
const LOST = Symbol('the connection broke')

/** Answers of a bundler that keeps the operation, whatever it says. */
const ANSWERS = [
  (hash) => ({ jsonrpc: '2.0', id: 1, result: hash }),
  () => LOST,
  () => refusal(-32500, 'AA26 over verificationGasLimit'),
  () => refusal(-32504, 'throttled'),
  () => refusal(-32000, 'replacement transaction underpriced'),
  () => refusal(-32500, 'AA25 invalid account nonce'),
  () => ({ status: 'error', error: { code: 400, message: 'no' } }),
]

/** One run. `choose(count)` returns the number of what happens next. Returns the law that is broken, if one is. */
async function run(choose, { isQuick = true, swaps = (stored, before) => stored === before }) {
  const kept = new Map()
  const chain = { now: 1, executed: new Map() }
  const used = (nonce) => chain.executed.get(nonce)
  const isValid = ({ nonce, ends }) => !used(nonce) && chain.now <= ends
  const execute = (hash) => chain.executed.set(kept.get(hash).nonce, { hash, at: chain.now })
  const ends = new Map()
  let [stored, estimates, jobs, broken] = [null, 0, 0, undefined]
  const outcomes = []

  /** A caller: its call of `flow`, and the function that it waits for. */
  const caller = () => ({ pending: undefined, parked: undefined, calls: 0 })
  const callers = [caller(), caller()]

  function start(self) {
    self.calls += 1
    const call = self.calls
    const jobId = job((jobs += 1))
    // A call that has crashed hears nothing any more.
    const waits = (name, ...given) =>
      new Promise((resolve, reject) => {
        if (self.calls !== call) return
        self.pending = { name, given, resolve, reject }
        self.parked()
      })
    const program = {
      estimate: (asked) => waits('estimate', asked),
      show: () => true,
      sign: () => waits('sign'),
      send: (operation) => waits('send', operation),
      receipt: (hash) => waits('receipt', hash),
      nonce: (sender, jobId) => waits('nonce', jobId),
      wait: () => waits('wait'),
      store: { get: async () => stored, swap: (before, after) => waits('swap', before, after) },
    }
    const validUntil = ({ hash }) => {
      ends.set(hash, chain.now + 2)
      return chain.now + 2
    }
    void flow(program, { request: { ...request, jobId }, deployment, validUntil }).then((result) => {
      if (self.calls !== call) return
      self.pending = undefined
      outcomes.push(result.outcome)
      judge(result, jobId)
      self.parked()
    })
  }

  function judge({ outcome, hash }, jobId) {
    const isKept = [...kept.values()].some(({ nonce }) => nonce === nonceOf(jobId))
    if (['refused', 'unanswered', 'declined'].includes(outcome) && isKept) broken ??= `it says \`${outcome}\`, and an operation was sent`
    if (outcome === 'succeeded' && ![...chain.executed.values()].some((executed) => executed.hash === hash)) broken ??= 'it says `succeeded`, and nothing was executed'
    if (outcome === 'expired' && [...kept.values()].some((operation) => operation.nonce === JSON.parse(stored).operation.nonce && (used(operation.nonce) || isValid(operation))))
      broken ??= 'it says `expired`, and an operation was or can be executed'
  }

  /** Goes on with a caller, until it waits for something again. */
  const on = (self, act) =>
    new Promise((resolve) => {
      self.parked = resolve
      act()
    })
  const settle = (self, value) => () =>
    on(self, () => {
      const { resolve, reject } = self.pending
      self.pending = undefined
      if (value === LOST) reject(new Error('the connection broke'))
      else resolve(value)
    })

  /** What can happen to the function that a caller waits for: the usual first. */
  const ways = (self) => {
    const { name, given: [first, second] } = self.pending
    switch (name) {
      case 'estimate': {
        const gasLimits = { ...facts.gasLimits, callGasLimit: `0x${(800_000 + (estimates += 1)).toString(16)}` }
        const reply = (details) => ({ text: JSON.stringify(estimate({ ...first, details }, { ...facts, gasLimits })) })
        const swapped = { ...first.details, recipientWalletAddress: deployment.clientSWA }
        return [settle(self, reply(first.details)), settle(self, LOST), settle(self, reply(swapped))]
      }
      case 'sign':
        return [settle(self, SIGNATURE), settle(self, LOST)]
      case 'send':
        return ANSWERS.map((answer) => () => {
          const hash = hashOf(first)
          kept.set(hash, { nonce: first.nonce, ends: ends.get(hash) })
          return settle(self, answer(hash))()
        })
      case 'receipt': {
        const is = used(kept.get(first)?.nonce)?.hash === first
        const receipt = { userOpHash: first, success: true, actualGasCost: '0x64', actualGasUsed: '0x5' }
        return is ? [settle(self, receipt), settle(self, null)] : [settle(self, null), settle(self, LOST)]
      }
      case 'nonce': {
        // The block before the newest one is finalized.
        const executed = used(nonceOf(first))
        return [settle(self, { used: executed !== undefined && executed.at < chain.now, now: chain.now - 1 }), settle(self, LOST)]
      }
      case 'swap':
        return [
          () => {
            const isSame = swaps(stored, first)
            if (isSame) stored = second
            return settle(self, isSame)()
          },
        ]
      case 'wait': {
        const passes = (hash) => () => {
          if (hash) execute(hash)
          chain.now += 1
          return settle(self, true)()
        }
        const valid = [...kept].filter(([, operation]) => isValid(operation)).map(([hash]) => hash)
        const blocks = isQuick ? [...valid.reverse(), undefined] : [undefined, ...valid]
        return [...blocks.map(passes), settle(self, false)]
      }
    }
  }

  for (let step = 0; step < 200 && !broken; step += 1) {
    const [one, other] = callers
    const crash = (self) => () => on(self, () => start(self))
    const active = callers.filter(({ pending }) => pending)
    const fresh = callers.filter(({ pending, calls }) => !pending && calls < 3)
    const starts = fresh.map((self) => crash(self))
    const events = [
      ...active.slice(0, 1).flatMap(ways),
      ...active.slice(1).map((self) => () => ways(self)[0]()),
      ...starts,
      ...active.filter(({ calls }) => calls < 3).map(crash),
    ]
    // The callers have ended, and each has called at least once.
    if (active.length === 0 && one.calls > 0 && other.calls > 0) {
      const event = choose(1 + starts.length)
      if (event === 0) break
      await starts[event - 1]()
    } else {
      await events[choose(events.length)]()
    }
  }

  // What is kept can still be executed, by anybody.
  for (const [hash, operation] of kept) if (isValid(operation)) execute(hash)
  if (chain.executed.size > 1) broken ??= 'the intent is executed twice'
  return { broken, outcomes }
}

/** Visits all runs with at most `most` choices that are not the usual one. The usual block of a chain that is quick has an operation. */
async function visit(most, world) {
  const found = { runs: 0, outcomes: new Set(), broken: undefined }
  const explore = async (differences) => {
    const counts = []
    const choose = (count) => {
      const at = counts.push(count) - 1
      const chosen = differences.find(([step]) => step === at)?.[1] ?? 0
      return chosen < count ? chosen : 0
    }
    const { broken, outcomes } = await run(choose, world)
    found.runs += 1
    outcomes.forEach((outcome) => found.outcomes.add(outcome))
    if (broken) found.broken ??= { broken, differences }
    if (differences.length === most) return
    const from = differences.length ? differences.at(-1)[0] + 1 : 0
    for (let step = from; step < Math.min(counts.length, STEPS) && !found.broken; step += 1)
      for (let choice = 1; choice < counts[step]; choice += 1) await explore([...differences, [step, choice]])
  }
  await explore([])
  return found
}

test('no world near the usual one executes an intent twice, or makes the loop say what is not so', async (context) => {
  const all = new Set()
  for (const isQuick of [true, false]) {
    const { runs, outcomes, broken } = await visit(MOST, { isQuick })
    context.diagnostic(`a ${isQuick ? 'quick' : 'slow'} chain: ${runs} runs`)
    assert.equal(broken, undefined)
    assert(runs > 1_000)
    outcomes.forEach((outcome) => all.add(outcome))
  }
  assert.deepEqual([...all].sort(), ['declined', 'elsewhere', 'expired', 'open', 'refused', 'succeeded', 'unanswered'])
})

test('the visit finds a store that loses what it acknowledged', async () => {
  const { broken } = await visit(MOST, { swaps: () => true })
  assert.equal(broken?.broken, 'the intent is executed twice')
})
