// Errors, in the envelope of the service.

import { type Issue, type Refusal, refusal, SendoffError } from '../index.js'
import { member, own } from '../own.js'
import { isInteger } from './options.js'

/** An error as HTTP carries it; the body goes as JSON. */
export interface ErrorReply {
  readonly status: number
  /** All that the reply needs, its content type too. */
  readonly headers: { readonly [name: string]: string }
  readonly body: ErrorEnvelope
}

/** The error envelope of the service. */
export interface ErrorEnvelope {
  readonly status: 'error'
  readonly error: {
    /** The HTTP status. */
    readonly code: number
    /** Only where the service documents one for the cause. */
    readonly errorCode?: string
    readonly message: string
    readonly trace_id: string
    readonly details?: unknown
  }
}

/** The optional fields of an error, beside its message. */
export interface ErrorContent {
  readonly errorCode?: string | undefined
  readonly details?: unknown
  readonly headers?: { readonly [name: string]: string } | undefined
}

/**
 * Returns the reply for an error of the host.
 *
 * @example
 * ```ts
 * const { status, headers, body } = errorReply(traceId(request), 400, 'expected a network that is enabled', {
 *   errorCode: 'ER-TECH-0005',
 * })
 * ```
 */
export function errorReply(traceId: string, status: number, message: string, more: ErrorContent = {}): ErrorReply {
  const { errorCode, details, headers } = own(more)
  const code = errorCode === undefined ? {} : { errorCode }
  const error = { code: status, ...code, message, trace_id: traceId }
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: { status: 'error', error: details === undefined ? error : { ...error, details } },
  }
}

/**
 * Returns the reply for a refusal, with the status, headers and bytes that all hosts use.
 *
 * @example
 * ```ts
 * const { status, headers, body } = refusalReply(traceId(request), { refused: 'no-backend', operation })
 * ```
 */
export function refusalReply(traceId: string, refused: Refusal): ErrorReply {
  return refusal(refused, traceId) as ErrorReply
}

/**
 * An error that a handler throws to refuse a call. {@link failureReply} makes the reply.
 *
 * @example
 * ```ts
 * throw new Refused({ refused: 'not-enabled', found: 'the chain `eip155:1`' })
 * ```
 */
export class Refused extends Error {
  override readonly name = 'Refused'

  constructor(readonly refusal: Refusal) {
    super(refusal.refused)
  }
}

/**
 * Returns the reply for an error that a handler has thrown. Use it in the host's error handler.
 *
 * - A `SendoffError` is 400 with its first 100 issues. It is 500 if an issue is under `facts.`, because facts come from the host.
 * - A {@link Refused} is its refusal.
 * - A body that a body parser finds too large is 413, with the parser's `limit` if the error has it.
 * - An error with a `status` or `statusCode` from 400 to 499, as body parsers throw them, has that status and its message.
 * - Any other error is 500, without details.
 *
 * @example
 * ```ts
 * const { status, headers, body } = failureReply(traceId(request), error)
 * if (status === 500) console.error(error)
 * ```
 */
export function failureReply(traceId: string, error: unknown): ErrorReply {
  if (SendoffError.is(error)) return refusalReply(traceId, { refused: 'bad-request', issues: shown(error.issues) })
  if (isRefused(error)) return refusalReply(traceId, error.refusal)
  // `limit` is of `body-parser` and its like: the longest body, in bytes.
  const thrown: { readonly [name in 'status' | 'statusCode' | 'message' | 'limit']?: unknown } = Object(error)
  const status = member(thrown, 'statusCode') ?? member(thrown, 'status')
  if (status === 413) return refusalReply(traceId, tooLarge(member(thrown, 'limit')))
  if (isInteger(status, 400, 499)) return errorReply(traceId, status, String(member(thrown, 'message')))
  return refusalReply(traceId, { refused: 'failed' })
}

/**
 * The refusal of a body that is too long for a body parser.
 *
 * @internal
 */
export function tooLarge(limit: unknown): Refusal {
  return { refused: 'too-large', ...(isInteger(limit, 1, 2 ** 32 - 1) && { most: limit }) }
}

/**
 * Works across copies of this package, where `instanceof` does not.
 *
 * @internal
 */
export function isRefused(error: unknown): error is Refused {
  return member(Object(error) as Error, 'name') === 'Refused'
}

/** The first issues of a body, slightly more than the core shows. There may be megabytes of them, more than the core reads. */
function shown(issues: readonly Issue[]): Issue[] {
  return issues.slice(0, 101).map((issue) => ({ ...issue, path: [...issue.path.slice(0, 600)].slice(0, 260).join('') }))
}
