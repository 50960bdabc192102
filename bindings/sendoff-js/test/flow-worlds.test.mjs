// The loop in random worlds: callers that share a store and crash between any two steps, a service, a person, a bundler that loses and
// forges, everybody else who saw a signature, a chain that takes back blocks that are not finalized, and a node. Each world begins with
// any of these, and goes on with honest ones. SENDOFF_ALL=1 runs more worlds, WORLDS=9000 so many, and SEED=7 one of them.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { estimate } from 'sendoff'
import * as built from 'sendoff/flow'
import { deployment, facts, request } from './help.mjs'
import { hashOf, SIGNATURE } from './world.mjs'

const WORLDS = Number(process.env.WORLDS ?? (process.env.SENDOFF_ALL ? 100_000 : 4_000))
/** The events of the first part of a world, and those after which an honest one must have ended. */
const [EVENTS, MOST] = [32, 600]

const OTHER_ACCOUNT = '0x00000000000000000000000000000000000000aa'
const job = (number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`
/** The nonce of a job's operations. */
const nonceOf = (jobId) => BigInt(`0x${jobId.replaceAll('-', '')}`)
const LOST = Symbol('the connection broke')
const refusal = (code, message) => ({ jsonrpc: '2.0', id: 1, error: { code, message } })

/** What bundlers say, and whether a program may ask the person to sign again after it. */
const WORDS = [
  { says: refusal(-32500, 'AA26 over verificationGasLimit'), isUnderstood: true },
  { says: refusal(-32602, 'AA24 signature error'), isUnderstood: true },
  { says: refusal(-32000, 'replacement transaction underpriced'), isUnderstood: true },
  { says: refusal(-32602, 'Replacement UserOperation must have higher maxPriorityFeePerGas'), isUnderstood: true },
  { says: refusal(-32504, 'throttled') },
  { says: refusal(-32500, 'AA25 invalid account nonce') },
  { says: { status: 'error', error: { code: 400, message: 'no' } } },
  { says: { result: `0x${'22'.repeat(32)}` } },
  { says: '<html>502</html>' },
  { says: LOST },
]
const CODES = [-32602, -32500, -32501, -32502, -32503, -32507, -32521, -32603, -32000, -1]
const LETTERS = 'aeghiklnoprstu  '

/** Numbers that a seed gives, so that a world can be repeated. */
function dice(seed) {
  let state = (seed * 2654435761 + 1) % 2147483647 || 1
  return (sides) => (state = (state * 48271) % 2147483647) % sides
}

/** Runs a world. Returns the law that it breaks, if it breaks one, and the outcomes. */
async function run(seed, { flow }) {
  const roll = dice(seed)
  const pick = (list) => list[roll(list.length)]
  const setting = {
    hasNode: roll(2) === 0,
    hasEvent: roll(2) === 0,
    isNodeSteady: roll(2) === 0,
    hasEnds: roll(2) === 0,
    isVariedWithoutEnds: roll(2) === 0,
    succeeds: roll(6) > 0,
    oddity: pick([4, 10, 25, 50]),
    /** Some have a plan: to refuse what was sent and turn to another account, or to refuse everything. */
    plan: pick(['account', 'refuse', undefined, undefined, undefined]),
    callers: 1 + roll(2),
    events: 5 + roll(EVENTS),
  }
  let isHonest = false
  const isOdd = () => !isHonest && roll(100) < setting.oddity

  const chain = { now: 10, executed: new Map() }
  const bundler = { pool: new Map(), isPruned: false }
  /** Every operation whose signature somebody saw, by its hash. */
  const seen = new Map()
  const ends = new Map()
  /** Those that were not refused. */
  const tries = { open: 0 }
  const outcomes = []
  let [stored, estimates, jobs, broken] = [null, 0, 0, undefined]
  const breaks = (law) => void (broken ??= law)

  // The chain.
  const keyOf = ({ sender, nonce }) => `${sender.toLowerCase()} ${BigInt(nonce)}`
  const isValid = (hash) => !chain.executed.has(keyOf(seen.get(hash))) && chain.now <= (ends.get(hash) || Infinity)
  const execute = (hash) => chain.executed.set(keyOf(seen.get(hash)), { hash, at: chain.now, success: setting.succeeds })
  const executionOf = (hash) => [...chain.executed.values()].find((executed) => executed.hash === hash)
  const finalized = () => chain.now - 2
  const mine = () => {
    chain.now += 1
    const [hash] = [...bundler.pool.keys()].filter(isValid)
    if (hash && !isOdd()) execute(hash)
    for (const hash of bundler.pool.keys()) if (!isValid(hash)) bundler.pool.delete(hash)
  }

  // What happens by itself.
  const happenings = [
    mine,
    mine,
    mine,
    () => bundler.pool.clear(),
    () => void (bundler.isPruned = true),
    () => void [...seen.keys()].filter(isValid).slice(-1).forEach(execute),
    () => void [...seen.keys()].filter(isValid).slice(0, 1).forEach(execute),
    () => chain.executed.forEach(({ at }, key) => at > finalized() && chain.executed.delete(key)),
  ]

  // The service, the person, the bundler and the node: what each answers.
  function estimated(_self, asked) {
    const count = (estimates += 1)
    // An operation with another end is another one.
    const gas = setting.hasEnds || setting.isVariedWithoutEnds ? { callGasLimit: `0x${(800_000 + count).toString(16)}` } : {}
    const reply = (asked, more) => JSON.stringify(estimate(asked, { ...facts, ...more, gasLimits: { ...facts.gasLimits, ...gas } }))
    const swapped = { ...asked, details: { ...asked.details, recipientWalletAddress: deployment.clientSWA } }
    if (setting.plan === 'account' && stored !== null && !isHonest) return { text: reply(asked, { userSWA: OTHER_ACCOUNT }) }
    if (!isOdd()) return { text: reply(asked, {}) }
    const odd = [
      () => ({ text: reply(asked, { userSWA: OTHER_ACCOUNT }) }),
      () => ({ text: reply(asked, { userSWA: OTHER_ACCOUNT }) }),
      () => ({ text: reply(swapped, {}) }),
      () => ({ text: '{"status":"error","error":{"code":429,"message":"wait"}}' }),
      () => ({ text: `${reply(asked, {})} {}` }),
      () => ({ text: '<html>502</html>' }),
      () => LOST,
    ]
    return pick(odd)()
  }

  function sent(self, operation) {
    if (self.isAgain && !self.hasPaused) breaks('there is no pause between two tries')
    self.hasPaused = false
    const hash = hashOf(operation)
    seen.set(hash, operation)
    self.isAgain = true
    const isRefused = !isHonest && (setting.plan === 'refuse' || (setting.plan === 'account' && seen.size === 1))
    const words = isRefused ? WORDS[0] : isOdd() ? pick([...WORDS, undefined, undefined]) : answerOf(hash, operation)
    const { says, isUnderstood = false, isCoded = false } = words ?? randomWords()
    // A refusal by its code alone is enough if nothing else was sent.
    tries.open += isUnderstood || isCoded ? 0 : 1
    self.mayAsk = isUnderstood || (isCoded && tries.open === 0)
    // A bundler keeps what it wants to.
    if (words !== undefined && !isHonest && roll(3) === 0) bundler.pool.set(hash, operation)
    return says
  }

  function randomWords() {
    const code = pick(CODES)
    const message = Array.from({ length: 3 + roll(30) }, () => pick(LETTERS)).join('')
    return { says: refusal(code, message), isCoded: code <= -32500 && code !== -32602 && code !== -32603 }
  }

  /** An honest bundler's answer. */
  function answerOf(hash, operation) {
    const rival = [...bundler.pool].find(([other, each]) => other !== hash && keyOf(each) === keyOf(operation))
    if (chain.executed.has(keyOf(operation))) return { says: refusal(-32500, 'AA25 invalid account nonce') }
    if (!isValid(hash)) return { says: refusal(-32500, 'AA32 paymaster expired or not due'), isUnderstood: true }
    if (bundler.pool.has(hash)) return { says: refusal(-32602, 'already known') }
    if (rival && BigInt(operation.maxFeePerGas) * 100n < BigInt(rival[1].maxFeePerGas) * 110n) return { says: refusal(-32602, 'replacement underpriced'), isUnderstood: true }
    if (rival) bundler.pool.delete(rival[0])
    bundler.pool.set(hash, operation)
    return { says: { jsonrpc: '2.0', id: 1, result: hash } }
  }

  function receipted(_self, hash) {
    const forged = (success) => ({ userOpHash: hash, success, actualGasCost: '0x64', actualGasUsed: '0x5' })
    if (isOdd()) return pick([null, LOST, forged(true), forged(false), { userOpHash: hash }, forged('yes'), { ...forged(true), userOpHash: `0x${'33'.repeat(32)}` }])
    const executed = executionOf(hash)
    return executed && !bundler.isPruned ? { ...forged(executed.success), actualGasCost: roll(2) ? 100n : 'lots' } : null
  }

  function nonced(_self, sender, jobId) {
    if (!setting.isNodeSteady && isOdd()) return LOST
    const executed = chain.executed.get(keyOf({ sender, nonce: nonceOf(jobId) }))
    const used = executed !== undefined && executed.at <= finalized()
    return { used, now: finalized(), ...(used && setting.hasEvent && { success: executed.success }) }
  }

  /** What a caller's functions resolve to, if they are answered now. */
  const answers = {
    estimate: estimated,
    show(self, { hash }) {
      if (self.isAgain && !self.mayAsk) breaks('a person is asked to sign again, and a try may be open')
      if (stored?.includes(hash)) breaks('a hash is shown whose signature is stored')
      return !isOdd()
    },
    sign: () => (isOdd() ? LOST : SIGNATURE),
    send: sent,
    receipt: receipted,
    nonce: nonced,
    swap(_self, before, after) {
      const isSame = stored === before
      if (isSame) stored = after
      return isSame
    },
    wait(self) {
      mine()
      self.hasPaused = true
      self.waits += 1
      return self.waits < 25 && !isOdd()
    },
  }

  function judged({ outcome, by }, jobId) {
    outcomes.push(outcome)
    const isSent = [...seen.values()].some(({ nonce }) => BigInt(nonce) === nonceOf(jobId))
    if (['refused', 'unanswered', 'declined'].includes(outcome) && isSent) breaks(`it says \`${outcome}\`, and an operation was sent`)
    if (outcome === 'expired') {
      const ended = nonceOf(JSON.parse(stored).state.jobId)
      const isPossible = [...seen].some(([hash, each]) => BigInt(each.nonce) === ended && (chain.executed.has(keyOf(each)) || isValid(hash)))
      if (isPossible) breaks('it says `expired`, and an operation was or can be executed')
    }
    if (outcome !== 'succeeded' && outcome !== 'failed') return
    // Which of several operations it was is the bundler's word, unless the node contradicts it.
    const ended = nonceOf(JSON.parse(stored).state.jobId)
    const executed = [...chain.executed.values()].find((each) => BigInt(seen.get(each.hash).nonce) === ended)
    const isSure = setting.hasNode && setting.isNodeSteady
    if ((by === 'node' || isSure) && !executed) breaks(`it says \`${outcome}\`, and nothing was executed`)
    if (by === 'node' && executed && executed.success !== (outcome === 'succeeded')) breaks(`it says \`${outcome}\` as the node's word, which was another`)
  }

  // The callers: each is a call of `flow`, and the function that it waits for.
  const callers = Array.from({ length: setting.callers }, () => ({ calls: 0, pending: undefined }))
  /** Until each caller waits for a function again, or has ended. */
  const allWait = () => new Promise(setImmediate)

  const start = (self) => {
    const call = (self.calls += 1)
    const jobId = job((jobs += 1))
    const isBegun = stored !== null && JSON.parse(stored).state.phase !== 'expired'
    Object.assign(self, { pending: undefined, waits: 0, hasPaused: false, isAgain: isBegun, mayAsk: false })
    // A call that has crashed hears nothing any more.
    const waits = (name, ...given) =>
      new Promise((resolve, reject) => {
        if (self.calls === call) self.pending = { name, given, resolve, reject }
      })
    const program = Object.fromEntries(['estimate', 'show', 'sign', 'send', 'receipt', 'wait'].map((name) => [name, (...given) => waits(name, ...given)]))
    if (setting.hasNode) program.nonce = (...given) => waits('nonce', ...given)
    program.store = { get: async () => stored, swap: (before, after) => waits('swap', before, after) }
    const validUntil = ({ hash }) => {
      if (setting.hasEnds) ends.set(hash, chain.now + 6)
      return ends.get(hash) ?? 0
    }
    const ended = (result) => {
      if (self.calls !== call) return
      self.result = result
      if (result instanceof Error) breaks(`it throws ${result}`)
      else judged(result, jobId)
    }
    flow(program, { request: { ...request, jobId }, deployment, validUntil }).then(ended, ended)
    return allWait()
  }

  const settle = (self) => {
    const { name, given, resolve, reject } = self.pending
    self.pending = undefined
    const value = answers[name](self, ...given)
    if (value === LOST) reject(new Error('the connection broke'))
    else resolve(value)
    return allWait()
  }

  for (let event = 0; event < setting.events && !broken; event += 1) {
    if (isOdd()) pick(happenings)()
    const self = pick(callers)
    if (self.calls > 4 && !self.pending) continue
    if (!self.pending || isOdd()) await start(self)
    else await settle(self)
  }

  // From here on all are honest. The other caller is gone.
  isHonest = true
  const [self, other] = callers
  if (other) other.calls += 1
  const isOver = () => ['succeeded', 'failed', 'expired', 'executed'].includes(self.result?.outcome)
  // Without a node nobody can know what happened to an operation without a receipt, or to one of an account that an honest service
  // does not answer for.
  const isForeign = () => [...seen.values()].some(({ sender }) => sender.toLowerCase() === OTHER_ACCOUNT)
  const canEnd = () => setting.hasNode || !(bundler.isPruned || isForeign())
  self.result = undefined
  await start(self)
  for (let event = 0; event < MOST && !broken && !isOver(); event += 1) await (self.pending ? settle(self) : start(self))
  if (canEnd() && !isOver()) breaks('it does not end, although all are honest')

  // What anybody saw can still be executed.
  for (const hash of seen.keys()) if (isValid(hash)) execute(hash)
  if (chain.executed.size > 1) breaks('the intent is executed twice')
  return { broken, outcomes }
}

/** Runs worlds until one breaks a law. */
async function visit(entry, worlds = WORLDS) {
  const outcomes = new Map()
  for (let seed = 1; seed <= worlds; seed += 1) {
    const { broken, outcomes: found } = await run(seed, entry)
    if (broken) return { broken, seed }
    for (const outcome of found) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  return { outcomes }
}

test('no world executes an intent twice, makes the loop say what is not so, or keeps it from ending', async (context) => {
  if (process.env.SEED) return assert.equal((await run(Number(process.env.SEED), built)).broken, undefined)
  const { broken, seed, outcomes } = await visit(built)
  assert.equal(broken, undefined, `world ${seed}`)
  context.diagnostic(`${WORLDS} worlds: ${[...outcomes].map((each) => each.join(' ')).join(', ')}`)
  assert.deepEqual([...outcomes.keys()].sort(), ['declined', 'elsewhere', 'executed', 'expired', 'failed', 'open', 'refused', 'succeeded', 'unanswered'])
})

/** Faults of the loop: what the built file has, and what it would have. */
const FAULTS = {
  'what a bundler lost is not sent again': [/"asked" : "vain"/, '"asked" : "asked"'],
  'the sender is not compared': [/compare\("data\.userOps\.sender".*/, ''],
  'the same hash is signed again': [/saved\?\.operations\.some\(\(each\) => isSame\(each\.hash, hash\)\)/, 'false'],
  'a receipt is believed against the node': [/const isContradicted = .*/, 'const isContradicted = false;'],
  'another caller wrote in between, and it is not noticed': [/await call\.program\.swap\(before, text\)/, '(await call.program.swap(before, text), true)'],
  'there is no pause': [/call\.turns > 0 && /, 'false && '],
  'a refusal that is not understood is acted on': [/isOpen && next === "change" && !reason \? "ask" : next/, 'next ?? "change"'],
  'the outcome is not kept': [/outcome: kept \}/, 'outcome: undefined }'],
}

for (const [fault, [has, would]] of Object.entries(FAULTS)) {
  test(`the worlds find this fault: ${fault}`, async (context) => {
    const dist = new URL('../dist/', import.meta.url)
    const source = readFileSync(new URL('flow.mjs', dist), 'utf8')
    assert.match(source, has)
    const at = (name) => JSON.stringify(new URL(name, dist))
    const faulty = source.replace(has, would).replaceAll('"#sign"', at('core.mjs')).replaceAll('"./sign.mjs"', at('sign.mjs'))
    const entry = await import(`data:text/javascript,${encodeURIComponent(faulty)}`)
    const { broken, seed } = await visit(entry, 4_000)
    assert(broken, 'no world finds it')
    context.diagnostic(`world ${seed}: ${broken}`)
  })
}
