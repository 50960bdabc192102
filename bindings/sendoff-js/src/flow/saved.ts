// What the store keeps of an intent: the submission, every signed operation of its job, and the outcome.

import { type Issue, SendoffError } from '../error.js'
import { own } from '../own.js'
import { safeSubmission } from '../sign.js'
import type { Submission, SubmissionStep } from '../types.js'
import type { Call } from './call.js'
import type { Kept, Saved, Settled, Signed, Where } from './types.js'

/** What the store keeps, unless it is a job that can never be executed: then another job begins. */
export async function read(call: Call): Promise<Saved | null> {
  return savedOf(call, await call.program.get())
}

function savedOf(call: Call, text: string | null): Saved | null {
  if ((text ?? null) === null) return null
  const saved = parsed(text!)
  return saved.state.phase === 'expired' && !isSame(saved.state.jobId, call.jobId) ? null : saved
}

function parsed(text: string): Saved {
  try {
    const { state, operations, outcome }: Saved = own(JSON.parse(text))
    if (typeof own(state).jobId === 'string' && operations.length > 0) {
      return { state: own(state), operations: operations.map((each) => own(each)), outcome: outcome && own(outcome) }
    }
  } catch {
    // It is no JSON, or other JSON.
  }
  const found = String(text).slice(0, 64)
  throw new SendoffError([{ path: 'store', code: 'format', message: `expected the text that \`swap\` stored, found \`${found}\``, found }])
}

/** Returns `true` if an operation of the job may be executed, although nobody answered for it. */
export const mayBeOpen = ({ operations }: Saved): boolean => operations.some(({ sends, refusals }) => sends > refusals)

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
 * Takes a step of the job and stores the state, with what is new. Returns nothing, and stores nothing, if the state does not allow the
 * step, or the store has another job by now or operations from which this one differs.
 */
export async function take(call: Call, step: SubmissionStep, news: News = {}): Promise<Saved | undefined> {
  const { sent, refused, outcome } = own(news)
  for (;;) {
    const before = await call.program.get()
    const saved = savedOf(call, before)
    if (saved ? !isSame(saved.state.jobId, call.jobId) : !sent) return undefined
    if (sent && differences(saved, sent, sent.operation.sender).length > 0) return undefined

    const taken = safeSubmission(saved?.state ?? null, step)
    if (!taken.ok || taken.value.verdict === 'conflict') return undefined
    const operations = counted(saved?.operations ?? [], sent, refused)
    const isTakenBack = step.type === 'nonce' && !step.used
    const kept = outcome ?? (isTakenBack ? undefined : saved?.outcome)
    const after = { state: taken.value.state, operations, outcome: kept }
    const text = JSON.stringify(after)
    if (text === before || (await call.program.swap(before, text))) return after
  }
}

interface News {
  /** An operation that is about to be sent. */
  readonly sent?: Signed
  /** The hash of one that was refused, in words that are understood. */
  readonly refused?: string
  readonly outcome?: Settled
}

function counted(operations: readonly Kept[], sent: Signed | undefined, refused: string | undefined): readonly Kept[] {
  const isNew = sent && !operations.some(({ hash }) => isSame(hash, sent.hash))
  const all = isNew ? [...operations, { ...sent, sends: 0, refusals: 0 }] : operations
  const one = (hash: string, other: string | undefined) => (other !== undefined && isSame(hash, other) ? 1 : 0)
  return all.map((each) => ({ ...each, sends: each.sends + one(each.hash, sent?.hash), refusals: each.refusals + one(each.hash, refused) }))
}

export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
