// Errors, in the envelope of the service.

import { type Issue, type Refusal, refusal, SendoffError } from '../index.js'

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

/** What an error may say beside its message. */
export interface ErrorContent {
  readonly errorCode?: string | undefined
  readonly details?: unknown
  readonly headers?: { readonly [name: string]: string } | undefined
}

/**
 * An error of the host's own.
 *
 * @example
 * ```ts
 * const { status, headers, body } = errorReply(traceId(request), 400, 'expected a network that is enabled', {
 *   errorCode: 'ER-TECH-0005',
 * })
 * ```
 */
export function errorReply(traceId: string, status: number, message: string, more: ErrorContent = {}): ErrorReply {
  const { errorCode, details, headers } = more
  const code = errorCode === undefined ? {} : { errorCode }
  const error = { code: status, ...code, message, trace_id: traceId }
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: { status: 'error', error: details === undefined ? error : { ...error, details } },
  }
}

/**
 * A refusal of the kinds that every host has, with the status, headers and bytes that every host gives it.
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
 * What a handler throws to refuse a call: {@link failureReply} answers it.
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
 * What a handler has thrown, for the host's error handler:
 *
 * - A `SendoffError` is 400 with its issues, the first 100 of them, unless one of them is under `facts.`: those are the host's
 *   own.
 * - A {@link Refused} is its refusal, and a body that is too large is 413.
 * - An error whose `status` or `statusCode` is below 500, as body parsers throw them, is what it says.
 * - Anything else is 500, and nothing of it is told.
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
  const { status, statusCode = status, message } = Object(error)
  if (statusCode === 413) return refusalReply(traceId, { refused: 'too-large' })
  if (Number.isInteger(statusCode) && statusCode >= 400 && statusCode < 500) {
    return errorReply(traceId, statusCode, String(message))
  }
  return refusalReply(traceId, { refused: 'failed' })
}

/** It holds across copies of this package, where `instanceof` does not. */
function isRefused(error: unknown): error is Refused {
  return (error as Error | null | undefined)?.name === 'Refused'
}

/** More than the core shows of the issues of a body, and less than it reads: there may be megabytes of them. */
function shown(issues: readonly Issue[]): Issue[] {
  return issues.slice(0, 101).map((issue) => ({ ...issue, path: [...issue.path.slice(0, 600)].slice(0, 260).join('') }))
}
