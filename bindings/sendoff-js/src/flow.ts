// The entry `sendoff/flow`: the loop of a transfer, from the request to the receipt. It has no timer and opens no connection. The
// program passes its functions. `decide` chooses the next action, by `submissionNext` of the core; each action is a function below it.

import { type Found, hasObject, isNotFound, nodeAnswer, receiptAnswer, sentAnswer } from './flow/answers.js'
import { begun, type Call, note, tried, unexpected, withProblems } from './flow/call.js'
import { differences, hashesOf, isSame, mayBeOpen, read, take } from './flow/saved.js'
import type { FlowOutcome, FlowRefusal, NodeAnswer, Program, Saved, Settled, Signed, Transfer } from './flow/types.js'
import { own } from './own.js'
import { safeAssemble, safeReadReply, safeReplacementFees, safeSignable, SendoffError, submissionNext } from './sign.js'
import type { Issue } from './error.js'
import type { Document, EstimateRequest, Hex, ReplacementFees, Signable, SignedUserOp, SubmissionNext, SubmissionStep } from './types.js'

export type { FlowExecuted, FlowOutcome, FlowProblems, FlowRefusal, NodeAnswer, Program, Transfer } from './flow/types.js'

/**
 * Carries a transfer out: estimate, check, show, sign, send, ask, and then send again or replace, until the chain settled it.
 * However often it is called and interrupted, all its operations are of one job, so the chain executes at most one of them.
 *
 * @throws {@link SendoffError} What the program got wrong: an absent function, a `validUntil` or `rounds` out of its range, a store with
 * another text.
 *
 * @example
 * ```ts
 * const result = await flow(program, { request: { ...request, jobId: crypto.randomUUID() }, deployment, names })
 * if (result.outcome === 'open') tell('It was sent, and is not settled yet.')
 * ```
 */
export async function flow(program: Program, transfer: Transfer): Promise<FlowOutcome> {
  const call = begun(program, transfer)
  call.jobId = (await read(call))?.state.jobId ?? call.jobId
  for (;;) {
    const saved = await read(call)
    const outcome = saved ? await actions[decide(call, saved)](call, saved) : await prepare(call, null)
    if (outcome) return withProblems(call, outcome)
  }
}

/** The next action for what the store keeps. Nothing else decides. */
function decide(call: Call, saved: Saved): SubmissionNext | 'leave' | 'rest' {
  const { state, outcome } = saved
  const { wanted, asked } = call
  if (!isSame(state.jobId, call.jobId)) return 'leave'
  // The program's own node may know better than a bundler.
  if (outcome) return outcome.by === 'bundler' && call.program.nonce && asked === 0 ? 'ask' : 'end'
  if (differences(saved, call.where).length > 0) return 'rest'
  // After every try there are questions. After a restart there are more, with a pause between.
  if (asked === 0 || call.turns < 2) return submissionNext(state)

  if (wanted === 'replace' || (wanted === 'change' && !call.hasChanged)) {
    // What was accepted is replaced only if the person asks for it.
    const next = submissionNext(state.phase === 'accepted' ? { ...state, phase: 'unknown' } : state, wanted)
    if (next === 'prepare' || next === 'replace') return asked < call.patience ? 'ask' : next
  }
  // Refused again, and nothing else is on its way.
  if (wanted === 'change' && !mayBeOpen(saved)) return 'rest'
  return submissionNext(state, asked < call.rounds ? 'asked' : 'vain')
}

/** Each action returns the outcome, if it ends the call. */
const actions = {
  prepare,
  replace: async (call: Call, saved: Saved) => {
    const fees = await raised(call, saved)
    return fees && prepare(call, saved, fees)
  },
  send: (call: Call, saved: Saved) => send(call, saved, saved.operations.at(-1)!),
  ask,
  end: async (_: Call, { state, outcome }: Saved): Promise<FlowOutcome> => outcome ?? { outcome: state.phase as 'expired' },
  rest: async (call: Call, saved: Saved) => {
    note(call, 'where', { issues: differences(saved, call.where) })
    return open(saved)
  },
  leave: async (): Promise<FlowOutcome> => ({ outcome: 'elsewhere' }),
}

const open = ({ state }: Saved): FlowOutcome => ({ outcome: 'open', state: { ...state } })

/** Asks for an operation, and signs and sends it if it is a new one. `fees` are those of a replacement. */
async function prepare(call: Call, saved: Saved | null, fees?: ReplacementFees): Promise<FlowOutcome | undefined> {
  call.hasChanged ||= saved !== null && !fees
  const { deployment, names, validUntil } = call.transfer
  const request = { ...call.transfer.request, jobId: call.jobId, ...(fees && { gasDetails: fees }) } as EstimateRequest

  const estimate = await estimated(call, request)
  if (estimate.outcome !== 'answered') return ended(saved, estimate)
  const result = safeSignable(request as Document<EstimateRequest>, estimate.text, deployment, names)
  const issues = result.ok ? differences(saved, call.where, result.value.operation.sender) : result.issues
  note(call, 'estimate', { issues })
  if (!result.ok || issues.length > 0) return ended(saved, { outcome: 'refused', issues })

  const signable = result.value
  const { hash } = signable
  // The service made it once more. Its signature is stored.
  if (saved?.operations.some((each) => isSame(each.hash, hash))) {
    call.wanted = 'change'
    call.hasChanged = true
    return undefined
  }
  const ends = validUntil ? checkedEnd(validUntil(signable)) : 0
  const operation = await signed(call, signable)
  if (!operation) return ended(saved, { outcome: 'declined' })
  return send(call, saved, { ...call.where, hash, operation, validUntil: ends })
}

/** The end of a call without an operation to send: what was sent before is open. */
function ended(saved: Saved | null, outcome: FlowOutcome): FlowOutcome {
  if (!saved) return outcome
  const reply = outcome.outcome === 'unanswered' ? outcome.reply : undefined
  return { ...open(saved), ...(reply && { reply }) }
}

type Estimate = { readonly outcome: 'answered'; readonly text: string } | Extract<FlowOutcome, { outcome: 'refused' | 'unanswered' }>

/** The text of a reply that is no error. */
async function estimated(call: Call, request: EstimateRequest): Promise<Estimate> {
  const { value, cause } = await tried(call, 'estimate', () => call.program.estimate(request))
  if (cause !== undefined) return { outcome: 'unanswered', reply: undefined }
  const { text, retryAfter } = own((value ?? {}) as { text: string; retryAfter?: string | null })
  if (typeof text !== 'string') {
    note(call, 'estimate', { issues: [unexpected('estimate.text', 'the text of the reply', text)] })
    return { outcome: 'unanswered', reply: undefined }
  }
  const reply = safeReadReply(text, typeof retryAfter === 'string' ? retryAfter : undefined)
  if (reply.ok) return reply.value.status === 'error' ? { outcome: 'unanswered', reply: reply.value } : { outcome: 'answered', text }
  const { issues } = reply
  note(call, 'estimate', { issues })
  return hasObject(text) ? { outcome: 'refused', issues } : { outcome: 'unanswered', reply: undefined }
}

/** Shows an operation and signs it; nothing without a signature that can be sent. */
async function signed(call: Call, signable: Signable): Promise<SignedUserOp | undefined> {
  const shown = await tried(call, 'show', () => call.program.show(signable))
  if (shown.value !== true) return undefined
  const { value, cause } = await tried(call, 'sign', () => call.program.sign(signable))
  if (cause !== undefined) return undefined

  const assembled = safeAssemble(signable.operation, value as Hex)
  const bytes = assembled.ok ? (assembled.value.signature.length - 2) / 2 : 0
  if (assembled.ok && bytes >= 65) return assembled.value
  const short: Issue = { path: 'signature', code: 'format', message: `expected 65 bytes of a key, or more of a contract, found ${bytes}` }
  note(call, 'sign', { issues: assembled.ok ? [short] : assembled.issues })
  return undefined
}

/** The fees of a replacement; nothing if there is none, and then the same operation goes on. */
async function raised(call: Call, { operations }: Saved): Promise<ReplacementFees | undefined> {
  const { raise } = call.program
  const [highest] = operations.map(({ operation }) => operation).sort((one, other) => (BigInt(one.maxFeePerGas) > BigInt(other.maxFeePerGas) ? -1 : 1))
  const fees = safeReplacementFees(highest!)
  if (!fees.ok) note(call, 'raise', { issues: fees.issues })
  else if (!raise || (await tried(call, 'raise', () => raise(fees.value))).value === true) return fees.value
  call.wanted = undefined
  return undefined
}

/** Sends an operation, after its step and its signature are stored. */
async function send(call: Call, saved: Saved | null, sending: Signed): Promise<undefined> {
  const { jobId } = call
  const { hash, operation, validUntil } = sending
  const type = !saved || isSame(saved.state.hash, hash) ? 'sent' : 'replaced'
  Object.assign(call, { wanted: undefined, asked: 0, turns: call.turns + 1 })
  const taken = await take(call, { type, jobId, hash, validUntil }, { sent: sending })
  if (!taken) return

  const { reply, problems } = own(sentAnswer(await tried(call, 'send', () => call.program.send(operation)), hash))
  note(call, 'send', { ...call.problems.get('send'), ...problems })
  const { next, reason } = own((own(problems).refusal ?? {}) as Partial<FlowRefusal>)
  const step: SubmissionStep = reply ? { type: 'answered', reply } : { type: 'brokenOff' }
  const after = await take(call, step, next !== undefined && next !== 'ask' ? { refused: hash } : {})

  const isOpen = !after || mayBeOpen(after)
  call.patience = isOpen ? call.rounds : 1
  // A code alone does not say enough to ask the person again, while another try may be executed.
  call.wanted = isOpen && next === 'change' && !reason ? 'ask' : next
}

/** Asks for the receipt of each operation, and then a node about the nonce. Waits first, unless that is the first turn of the call. */
async function ask(call: Call, saved: Saved): Promise<FlowOutcome | undefined> {
  if (call.turns > 0 && !(await tried(call, 'wait', () => call.program.wait())).value) return open(saved)
  call.turns += 1
  call.asked += 1
  const found = await receiptOf(call, saved)
  const node = await nonceOf(call, saved)

  const outcome = settled(call, saved, found, node)
  if (outcome && outcome.outcome !== 'executed') {
    const receipt = { userOpHash: outcome.hash, success: outcome.outcome === 'succeeded' }
    await take(call, { type: 'receipt', receipt } as SubmissionStep, { outcome })
  } else if (node) {
    await take(call, { type: 'nonce', used: node.used, now: node.now }, outcome && { outcome })
  }
  return undefined
}

/** How the job ended, if receipt and node settle it. */
function settled(call: Call, saved: Saved, found: Found | undefined, node: NodeAnswer | undefined): Settled | undefined {
  const success = node?.success
  const isOne = saved.operations.length === 1
  const isKept = saved.operations.some(({ hash }) => found && isSame(hash, found.hash))
  const isContradicted = found && node && (node.used ? success === (found.receipt.outcome === 'failed') : isKept)
  const expected = node?.used ? `\`${success ? 'succeeded' : 'failed'}\`` : 'no receipt, as the nonce is unused'
  const message = `expected ${expected} (the node), found \`${found?.receipt.outcome}\` (the receipt)`
  const issue: Issue = { path: 'receipt', code: 'rule', message }
  note(call, 'node', { issues: isContradicted ? [issue] : [] })

  if (node?.used && success !== undefined && (found || isOne)) {
    // A receipt that is contradicted does not say either which of several operations it was.
    if (isContradicted && !isOne) return { outcome: 'executed', by: 'node', success }
    const outcome = success ? 'succeeded' : 'failed'
    const receipt = found && !isContradicted ? found.receipt : { outcome }
    return { outcome, by: 'node', receipt, hash: found?.hash ?? saved.state.hash } as Settled
  }
  if (found && !isContradicted) return { outcome: found.receipt.outcome, by: 'bundler', ...found } as Settled
  if (node?.used && call.asked >= call.rounds) return { outcome: 'executed', by: 'node', ...(success !== undefined && { success }) }
  return undefined
}

/** The first receipt of an operation of the job, else the one that is stored. */
async function receiptOf(call: Call, { state, outcome }: Saved): Promise<Found | undefined> {
  const hashes = hashesOf(state)
  for (const hash of hashes) {
    const answer = await tried(call, 'receipt', () => call.program.receipt(hash as Hex))
    if (isNotFound(answer.cause)) call.problems.delete('receipt')
    const { found, problems } = own(receiptAnswer(answer, [hash, ...hashes]))
    // That there is no receipt says nothing of an answer that could not be read.
    if (answer.value !== null && answer.cause === undefined) note(call, `receipt ${hash}`, problems)
    if (found) return found
  }
  return outcome && outcome.outcome !== 'executed' ? outcome : undefined
}

/** What the program's node says of the nonce. All operations that the store keeps have one sender. */
async function nonceOf(call: Call, { state, operations }: Saved): Promise<NodeAnswer | undefined> {
  const { nonce } = call.program
  if (!nonce) return undefined
  const answer = await tried(call, 'nonce', () => nonce(operations.at(-1)!.operation.sender as Hex, call.jobId))
  const { node, problems } = own(nodeAnswer(state, answer))
  note(call, 'nonce', { ...call.problems.get('nonce'), ...problems })
  return node
}

function checkedEnd(end: number): number {
  if (Number.isSafeInteger(end) && end >= 0 && end < 2 ** 48) return end
  throw new SendoffError([unexpected('transfer.validUntil', 'an integer from 0 to 281474976710655', end)])
}
