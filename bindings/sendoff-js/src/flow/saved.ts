// What the store keeps of an intent: the submission, every signed operation of its job, and the outcome.

import { type Issue, SendoffError } from '../error.js'
import type { FlowOutcome } from '../flow.js'
import { own } from '../own.js'
import { safeSubmission } from '../sign.js'
import type { SignedUserOp, Submission, SubmissionStep } from '../types.js'
import type { Call } from './call.js'

/** Where an operation is executed. A state of an earlier version does not say it. */
export interface Where {
  readonly entryPoint?: string | undefined
  readonly chainId?: number | undefined
}

/** A signed operation, stored before it is sent. */
export interface Signed extends Where {
  readonly hash: string
  readonly operation: SignedUserOp
  readonly validUntil?: number
  /** `true` if every try to send it was refused, in words that are understood. */
  readonly isRefused?: boolean
}

export interface Saved {
  readonly state: Submission
  /** In the order in which they were signed: at most 17, as many as a submission has. */
  readonly operations: readonly Signed[]
  readonly outcome?: Settled | undefined
}

export type Settled = Extract<FlowOutcome, { by: string }>

/** What the store keeps, unless it is a job that can never be executed: then another job begins. */
export async function read(call: Call): Promise<Saved | null> {
  return savedOf(call, await call.program.get())
}

function savedOf(call: Call, text: string | null): Saved | null {
  if (text === null) return null
  let saved: Saved & { operation: SignedUserOp }
  try {
    saved = own(JSON.parse(text))
  } catch (cause) {
    throw new SendoffError([{ path: 'store', code: 'syntax', message: 'expected the text that was stored last, found other text' }], { cause })
  }
  const state = own(saved.state)
  if (state.phase === 'expired' && !isSame(state.jobId, call.jobId)) return null
  // Earlier versions kept the last operation alone.
  const { operations = [{ hash: state.hash, operation: saved.operation }], outcome = settledBefore(state) } = saved
  return { state, operations: operations.map(own), outcome: outcome && own(outcome) }
}

/** The outcome of a job that an earlier version settled, which did not keep the receipt. */
function settledBefore({ phase, hash }: Submission): Settled | undefined {
  if (phase !== 'succeeded' && phase !== 'failed') return undefined
  return { outcome: phase, by: 'bundler', receipt: { outcome: phase }, hash } as Settled
}

/** Returns `true` if an operation of the job may be executed, although nobody answered for it. */
export const mayBeOpen = (saved: Saved): boolean => hasUnknown(saved) || saved.operations.some(({ isRefused }) => !isRefused)

/** Returns `true` if operations were sent that an earlier version did not keep. */
export const hasUnknown = ({ state, operations }: Saved): boolean =>
  hashesOf(state).some((hash) => !operations.some((each) => isSame(each.hash, hash)))

export const hashesOf = (state: Submission): readonly string[] => [state.hash, ...(own(state).replaced ?? [])]

/** The ways in which an operation differs from those of the job, which together could be executed twice. */
export function differences(saved: Saved | null, where: Where, sender?: string): Issue[] {
  const { entryPoint, chainId } = own(where)
  const issues: Issue[] = []
  const compare = (path: string, expected: unknown, found: unknown) => {
    if (expected === undefined || found === undefined || isSame(String(expected), String(found))) return
    if (issues.some((issue) => issue.path === path)) return
    const message = `expected that of the operation that was sent before, \`${expected}\`, found \`${found}\``
    issues.push({ path, code: 'rule', message, expected: String(expected), found: String(found) })
  }
  for (const signed of saved?.operations ?? []) {
    compare('where.entryPoint', signed.entryPoint, entryPoint)
    compare('where.chainId', signed.chainId, chainId)
    compare('data.userOps.sender', signed.operation.sender, sender)
  }
  return issues
}

/**
 * Takes a step of the job and stores the state, with what is new: an operation or an outcome. Returns nothing, and stores nothing, if the
 * state does not allow the step, or the store has another job by now or operations from which this one differs.
 */
export async function take(call: Call, step: SubmissionStep, news: News = {}): Promise<Saved | undefined> {
  const { signed, outcome } = own(news)
  for (;;) {
    const before = await call.program.get()
    const saved = savedOf(call, before)
    if (saved ? !isSame(saved.state.jobId, call.jobId) : !signed) return undefined
    if (signed && differences(saved, signed, signed.operation.sender).length > 0) return undefined

    const taken = safeSubmission(saved?.state ?? null, step)
    if (!taken.ok || taken.value.verdict === 'conflict') return undefined
    const operations = withSigned(saved?.operations ?? [], signed)
    const isTakenBack = step.type === 'nonce' && !step.used
    const kept = outcome ?? (isTakenBack ? undefined : saved?.outcome)
    const after = { state: taken.value.state, operations, outcome: kept }
    const text = JSON.stringify(after)
    if (text === before || (await call.program.swap(before, text))) return after
  }
}

interface News {
  readonly signed?: Signed
  readonly outcome?: Settled
}

function withSigned(operations: readonly Signed[], signed: Signed | undefined): readonly Signed[] {
  if (!signed) return operations
  const isKept = operations.some(({ hash }) => isSame(hash, signed.hash))
  return isKept ? operations.map((each) => (isSame(each.hash, signed.hash) ? signed : each)) : [...operations, signed]
}

export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
