// What bundlers, services, nodes and their libraries answer, read. A problem is kept with the outcome; none is swallowed.

import type { Issue } from '../error.js'
import { isRecord, member, own } from '../own.js'
import { safeReadReceipt, safeReadRefusal, safeReadReply, safeSubmission } from '../sign.js'
import type { ServiceReply, Submission, UserOpOutcome } from '../types.js'
import { type Answered, unexpected } from './call.js'
import { isSame } from './saved.js'
import type { FlowProblems, NodeAnswer } from './types.js'

/** The answer to an operation that was sent. */
export interface SentAnswer {
  /** The answer as a reply, for the step `answered`; absent if it is no answer. */
  readonly reply?: ServiceReply
  readonly problems: FlowProblems
}

/** Reads what `send` resolved to, or the error with which it rejected. */
export function sentAnswer({ value, cause }: Answered<unknown>, hash: string): SentAnswer {
  const thrown = rpcErrorOf(cause)
  if (thrown) return refused(thrown)
  if (cause !== undefined) return { problems: {} }
  if (typeof value === 'string') return accepted(value, hash)
  if (typeof value !== 'object' || value === null) return unread(unexpected('send', 'a hash, a JSON-RPC response or a reply', value))

  const { status, result, error } = own(value as { status?: unknown; result?: unknown; error?: unknown })
  if (status !== undefined) return replied(value)
  if (error !== undefined && error !== null) return refused(error)
  return typeof result === 'string' ? accepted(result, hash) : unread(unexpected('send.result', 'a hash', result))
}

const unread = (...issues: Issue[]) => ({ problems: { issues } })

/** A hash means that the bundler took the operation, although it may be another hash than ours. */
function accepted(answer: string, hash: string): SentAnswer {
  const problems = isSame(answer, hash) ? {} : { issues: [otherHash('send.result', hash, answer)] }
  return /^0x[\da-f]{64}$/i.test(answer) ? { reply: { status: 'success', data: answer }, problems } : { problems }
}

function otherHash(path: string, hash: string, answer: string): Issue {
  const found = answer.slice(0, 66)
  return { path, code: 'rule', message: `expected \`${hash}\`, the hash of the operation, found \`${found}\``, expected: hash, found }
}

function replied(value: object): SentAnswer {
  const read = safeReadReply(value)
  if (!read.ok) return unread(...within('send', read.issues))
  if (read.value.status === 'success') return { reply: { status: 'success', data: null }, problems: {} }
  return refused(read.value)
}

/** A refusal, of a bundler or of the service. */
function refused(error: object): SentAnswer {
  const { code, message, data, details = data } = own(error as { code: number; message: string; data?: unknown; details?: unknown })
  const read = safeReadRefusal({ code, message, ...(details !== undefined && { data: details }) } as never)
  if (!read.ok) return unread(...within('send.error', read.issues))
  const reply: ServiceReply = { status: 'error', error: { code, message, ...(details !== undefined && { details }) } }
  return { reply, problems: { refusal: { ...read.value, message } } }
}

/** The receipt of an operation of the job. */
export interface Found {
  readonly hash: string
  readonly receipt: Exclude<UserOpOutcome, { outcome: 'other' }>
}

/** Reads the answer for a receipt: of an operation of the job, or none. */
export function receiptAnswer({ value, cause }: Answered<unknown>, hashes: readonly string[]): { found?: Found; problems: FlowProblems } {
  if (cause !== undefined || value === null) return { problems: {} }
  for (const hash of hashes) {
    const read = safeReadReceipt(hash, value as never)
    if (!read.ok) return unread(...read.issues)
    if (read.value.outcome === 'other') continue
    const { unread: parts } = own(read.value)
    return { found: { hash, receipt: read.value }, problems: parts ? { unread: parts } : {} }
  }
  return unread(otherHash('receipt.userOpHash', hashes[0]!, String(own(value as { userOpHash: unknown }).userOpHash)))
}

/** Reads a node's answer. */
export function nodeAnswer(state: Submission, { value }: Answered<unknown>): { node?: NodeAnswer; problems: FlowProblems } {
  if (value === undefined || value === null) return { problems: {} }
  if (typeof value !== 'object') return unread(unexpected('nonce', 'an object', value))
  const { used, now, success } = own(value as NodeAnswer)
  const read = safeSubmission(state, { type: 'nonce', used, now })
  const issues = read.ok ? [] : within('nonce', read.issues)
  if (success !== undefined && typeof success !== 'boolean') issues.push(unexpected('nonce.success', 'true or false', success))
  return issues.length > 0 ? unread(...issues) : { node: { used, now, success }, problems: {} }
}

/** Returns `true` if `receipt` rejected with viem's error for an operation without a receipt. */
export const isNotFound = (cause: unknown): boolean => causes(cause).some((each) => member(each as Error, 'name') === 'UserOperationReceiptNotFoundError')

/** The JSON-RPC error inside the errors of a library: the innermost one with a code and a message. */
function rpcErrorOf(cause: unknown): object | undefined {
  const fields = (each: RpcError) => ({ code: member(each, 'code'), message: member(each, 'message'), data: member(each, 'data') })
  // The codes of a DOMException are below 100.
  const isRpcError = ({ code = 0, message }: RpcError) => Number.isSafeInteger(code) && Math.abs(code) >= 100 && typeof message === 'string'
  return causes(cause).map(fields).findLast(isRpcError)
}

type RpcError = { readonly code?: number | undefined; readonly message?: unknown; readonly data?: unknown }

/** An error and its causes, outermost first. */
function causes(error: unknown): object[] {
  const found: object[] = []
  for (let each = error; typeof each === 'object' && each !== null && found.length < 16; each = inner(each)) found.push(each)
  return found
}

/** The `cause` of an error, or the `error` in it. */
const inner = (each: object) => member(each as { cause?: unknown }, 'cause') ?? member(each as { error?: unknown }, 'error')

/** Returns `true` if a text is a JSON object or begins with one: it is a document, although it may be an improper one. */
export function hasObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text.slice(0, objectEnd(text))))
  } catch {
    return false
  }
}

/** Where the first object of a text ends. A string that nothing ends is one token too, so that no text is read twice. */
function objectEnd(text: string): number | undefined {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[^])*"?|[{}]/g)) {
    if (token === '{') depth += 1
    else if (token === '}' && (depth -= 1) === 0) return index + 1
  }
}

/** Problems of a part of a step, at their paths in the answer of a function. */
const within = (of: string, issues: readonly Issue[]): Issue[] =>
  issues.map((issue) => ({ ...issue, path: [of, issue.path.replace(/^step\./, '')].filter(Boolean).join('.') }))
