// The entry `sendoff/flow`: the loop of a transfer, from the request to the receipt. It has no timer and opens no connection. The
// program passes its functions, and the core decides the next step (`submissionNext`).

import { own } from './own.js'
import {
  assemble,
  readReceipt,
  readRefusal,
  replacementFees,
  safeReadReply,
  safeReadRefusal,
  safeSignable,
  safeSubmission,
  submissionNext,
} from './sign.js'
import type { Issue } from './error.js'
import type {
  Deployment,
  Document,
  EstimateRequest,
  Hex,
  Names,
  Reply,
  Signable,
  SignedUserOp,
  Submission,
  SubmissionLast,
  SubmissionStep,
  UserOpOutcome,
} from './types.js'

/**
 * The functions of a program. One that rejects is a lost connection: the loop goes on, or ends as `open`. If `show` or `sign` rejects,
 * the person did not agree. If the store rejects, so does the call.
 */
export interface Program {
  /** Asks the service for an estimate. Resolves to the text of the reply, with the value of its header `retry-after`. */
  readonly estimate: (request: EstimateRequest) => Promise<{ readonly text: string; readonly retryAfter?: string | null }>
  /** Shows the effects of the signature to the person, with all warnings. Resolves to `true` if the person agrees. */
  readonly show: (signable: Signable) => Promise<boolean> | boolean
  /** Makes the signature in the form that the account checks. */
  readonly sign: (signable: Signable) => Promise<Hex> | Hex
  /**
   * Sends the operation: to a bundler by `eth_sendUserOperation`, or to the service. Resolves to the JSON-RPC response, or to the
   * service's reply. Any other value counts as no answer.
   */
  readonly send: (operation: SignedUserOp) => Promise<unknown>
  /** Asks the bundler by `eth_getUserOperationReceipt`. Resolves to its answer, `null` if it has no receipt. */
  readonly receipt: (hash: Hex) => Promise<unknown>
  /** Asks a chain node of your own about the nonce at a finalized block (`nonceCall`, `readNonce`). Leave it out if you cannot. */
  readonly nonce?: (sender: Hex, jobId: string) => Promise<{ readonly used: boolean; readonly now: number } | undefined>
  /** Waits before the next question or try. Resolves to `false` to give up; a later call goes on from there. */
  readonly wait: () => Promise<boolean>
  /** The store of this intent, as text. `swap` stores `after` only if `before` is still stored, and resolves to whether it did. */
  readonly store: {
    readonly get: () => Promise<string | null>
    readonly swap: (before: string | null, after: string) => Promise<boolean>
  }
}

/** What is transferred, and what the program knows of the service. */
export interface Transfer {
  /** The request with a new `jobId`. If the store has a job of this intent that is not expired, that one is used. */
  readonly request: EstimateRequest
  readonly deployment: Deployment
  /** Names of chains and tokens for the sentences. */
  readonly names?: Names
  /** The end of an operation in seconds since the epoch, if account or paymaster enforces one on chain; 0 by default, for no end. */
  readonly validUntil?: (signable: Signable) => number
}

/** How a transfer ended, or why it goes on later. */
export type FlowOutcome =
  /** The chain executed it. `failed`: the account's call reverted. */
  | { readonly outcome: 'succeeded' | 'failed'; readonly receipt: UserOpOutcome; readonly hash: Hex }
  /** It was not executed and never will be. Only now another job is safe: call again with another `jobId`. */
  | { readonly outcome: 'expired' }
  /** The reply does not match the request or the deployment: there is nothing to sign. */
  | { readonly outcome: 'refused'; readonly issues: readonly Issue[] }
  /** The service answered the estimate with an error, or with no reply. */
  | { readonly outcome: 'unanswered'; readonly reply: Extract<Reply, { status: 'error' }> | undefined }
  /** The person did not agree. */
  | { readonly outcome: 'declined' }
  /**
   * It was sent, and is not settled yet. Call again to go on. `issues` are there if the reply for another operation of the job does not
   * match: that one was not signed, and an earlier one can still be executed.
   */
  | { readonly outcome: 'open'; readonly state: Submission; readonly issues?: readonly Issue[] }
  /** Another tab or process works on another job of this intent. */
  | { readonly outcome: 'elsewhere' }

/** What the store keeps: the submission, and the operation that was sent last. */
interface Saved {
  readonly state: Submission
  readonly operation: SignedUserOp
}

/**
 * Carries a transfer out: estimate, check, show, sign, send, ask, and then send again or replace, until the chain settled it.
 * However often it is called and interrupted, all its operations are of one job, so the chain executes at most one of them.
 *
 * @example
 * ```ts
 * const result = await flow(program, { request: { ...request, jobId: crypto.randomUUID() }, deployment, names })
 * if (result.outcome === 'open') tell('It was sent, and is not settled yet.')
 * ```
 */
export async function flow(program: Program, transfer: Transfer): Promise<FlowOutcome> {
  const jobId = (await read(program, transfer.request.jobId))?.state.jobId ?? transfer.request.jobId
  let last: SubmissionLast | undefined
  let receipt: unknown
  // After a restart nobody waits for the answer any more.
  if ((await read(program, jobId))?.state.phase === 'sent') await take(program, jobId, { type: 'brokenOff' })

  for (;;) {
    const saved = await read(program, jobId)
    if (saved && !isSame(saved.state.jobId, jobId)) return { outcome: 'elsewhere' }

    const next = submissionNext(saved?.state ?? null, last)
    if (next === 'prepare' || next === 'replace') {
      const prepared = await prepare(program, transfer, jobId, next === 'replace' ? saved?.operation : undefined)
      if (!('signable' in prepared)) {
        if (!saved) return prepared
        return { outcome: 'open', state: saved.state, ...(prepared.outcome === 'refused' && { issues: prepared.issues }) }
      }
      const { signable, operation } = prepared
      const isAgain = saved !== null && isSame(saved.state.hash, signable.hash)
      // The service made the operation that was refused once more.
      if (isAgain && !(await waited(program))) return { outcome: 'open', state: saved.state }
      const type = saved === null || isAgain ? 'sent' : 'replaced'
      const validUntil = transfer.validUntil?.(signable) ?? 0
      last = await send(program, { type, jobId, hash: signable.hash, validUntil }, operation)
    } else if (saved === null) {
      return { outcome: 'elsewhere' }
    } else if (next === 'send') {
      if (last === 'later' && !(await waited(program))) return { outcome: 'open', state: saved.state }
      last = await send(program, { type: 'sent', jobId, hash: saved.state.hash }, saved.operation)
    } else if (next === 'ask') {
      receipt = await ask(program, jobId, saved)
      const after = await read(program, jobId)
      last = 'asked'
      if (after && submissionNext(after.state, last) === 'end') continue
      if (!(await waited(program))) return { outcome: 'open', state: after?.state ?? saved.state }
    } else {
      const { phase, hash } = saved.state
      if (phase === 'expired') return { outcome: 'expired' }
      // After a restart the receipt is asked for again; the chain may have taken it back.
      receipt ??= await ask(program, jobId, saved)
      if (receipt) return { outcome: phase === 'failed' ? 'failed' : 'succeeded', receipt: readReceipt(hash, receipt), hash: hash as Hex }
      const after = await read(program, jobId)
      if (after?.state.phase === phase && !(await waited(program))) return { outcome: 'open', state: saved.state }
      last = undefined
    }
  }
}

type Estimated = Awaited<ReturnType<Program['estimate']>>

interface Prepared {
  readonly signable: Signable
  readonly operation: SignedUserOp
}

/** An operation that may be signed, with its signature; or the reason against it. `replaced` is one whose fees are too low. */
async function prepare(
  program: Program,
  transfer: Transfer,
  jobId: string,
  replaced: SignedUserOp | undefined,
): Promise<Prepared | FlowOutcome> {
  const { request: given, deployment, names } = transfer
  const request = { ...given, jobId, ...(replaced && { gasDetails: replacementFees(replaced) }) } as EstimateRequest
  const { text, retryAfter } = own<Estimated>((await tried(() => program.estimate(request))) ?? { text: '' })
  const reply = safeReadReply(text, retryAfter ?? undefined)
  if (!reply.ok || reply.value.status === 'error') {
    return { outcome: 'unanswered', reply: reply.ok && reply.value.status === 'error' ? reply.value : undefined }
  }

  const result = safeSignable(request as Document<EstimateRequest>, text, deployment, names)
  if (!result.ok) return { outcome: 'refused', issues: result.issues }
  const signable = result.value
  if (!(await tried(() => program.show(signable)))) return { outcome: 'declined' }
  const signature = await tried(() => program.sign(signable))
  if (signature === undefined) return { outcome: 'declined' }
  return { signable, operation: assemble(signable.operation, signature) }
}

/** Sends an operation after its step is stored. Returns what a refusal asks for. */
async function send(program: Program, step: SubmissionStep, operation: SignedUserOp): Promise<SubmissionLast | undefined> {
  const { jobId } = step as { jobId: string }
  const taken = await take(program, jobId, step, operation)
  if (taken?.verdict !== 'mayHaveHappened') return undefined

  const answer = await tried(() => program.send(operation))
  const { status, result, error } = own((typeof answer === 'object' && answer ? answer : {}) as { status?: unknown; result?: unknown; error?: unknown })
  const refused = status === undefined && error !== undefined ? safeReadRefusal(error) : undefined
  const reply =
    status !== undefined ? answer
    : refused?.ok ? { status: 'error', error }
    : typeof result === 'string' ? { status: 'success', data: result }
    : undefined
  const answered = reply && (await take(program, jobId, { type: 'answered', reply } as SubmissionStep).catch(() => undefined))
  if (!answered) await take(program, jobId, { type: 'brokenOff' })
  return refused?.ok ? readRefusal(error).next : undefined
}

/** Asks for the receipt of each operation, and then for the nonce. Returns the receipt that settles the job. */
async function ask(program: Program, jobId: string, { state, operation }: Saved): Promise<unknown> {
  for (const hash of [state.hash, ...(own(state).replaced ?? [])]) {
    const receipt = await tried(() => program.receipt(hash as Hex))
    // That there is no receipt is an answer for the last operation only.
    if (!receipt && (receipt === undefined || !isSame(hash, state.hash))) continue
    const taken = await take(program, jobId, { type: 'receipt', receipt } as SubmissionStep).catch(() => undefined)
    if (receipt && (taken?.state.phase === 'succeeded' || taken?.state.phase === 'failed')) return receipt
  }
  const nonce = await tried(() => program.nonce?.(operation.sender, jobId))
  if (nonce) await take(program, jobId, { type: 'nonce', ...nonce })
  return undefined
}

/**
 * Takes a step of the job, and stores the state. Returns nothing if the store has another job by now, and throws if the step cannot
 * be read.
 */
async function take(program: Program, jobId: string, step: SubmissionStep, operation?: SignedUserOp) {
  for (;;) {
    const before = await program.store.get()
    const saved = savedFor(jobId, before)
    if (saved && !isSame(saved.state.jobId, jobId)) return undefined
    if (!saved && !operation) return undefined

    const taken = safeSubmission(saved?.state ?? null, step)
    if (!taken.ok) {
      // A step of sending that the state does not allow is not taken. Other problems are those of an answer.
      if (operation) return undefined
      throw new Error('the answer cannot be read')
    }
    const { state, verdict } = taken.value
    const kept = operation && isSame(state.hash, (step as { hash: string }).hash) ? operation : saved!.operation
    const after = JSON.stringify({ state, operation: kept })
    if (after === before || (await program.store.swap(before, after))) return { state, verdict }
  }
}

async function read(program: Program, jobId: string): Promise<Saved | null> {
  return savedFor(jobId, await program.store.get())
}

/** What the store keeps, unless it is a job that can never be executed: then another job begins. */
function savedFor(jobId: string, text: string | null): Saved | null {
  const saved: Saved | null = text === null ? null : JSON.parse(text)
  return saved?.state.phase === 'expired' && !isSame(saved.state.jobId, jobId) ? null : saved
}

/** What a function of the program resolves to; `undefined` if it rejects or throws. */
async function tried<T>(act: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch {
    return undefined
  }
}

const waited = (program: Program) => tried(() => program.wait())

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
