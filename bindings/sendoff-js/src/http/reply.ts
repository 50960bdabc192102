// Errors, in the envelope of the service.

import { type Issue, SendoffError } from '../index.js'

/** An error as HTTP carries it; the body goes as JSON. */
export interface ErrorReply {
  readonly status: number
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
  const { errorCode, details, headers = {} } = more
  const code = errorCode === undefined ? {} : { errorCode }
  const error = { code: status, ...code, message, trace_id: traceId }
  return { status, headers, body: { status: 'error', error: details === undefined ? error : { ...error, details } } }
}

/**
 * What a handler has thrown, for the host's error handler:
 *
 * - A `SendoffError` is 400 with its issues, unless one of them is under `facts.`: those are the host's own.
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
  if (SendoffError.is(error) && !error.issues.some(isOfFacts)) {
    const errorCode = error.issues.every(isOfPolicy) ? 'ER-TECH-0005' : 'ER-TECH-0016'
    return errorReply(traceId, 400, error.message, { errorCode, details: { issues: error.issues } })
  }
  const { status, statusCode = status, message } = Object(error)
  if (Number.isInteger(statusCode) && statusCode >= 400 && statusCode < 500) {
    return errorReply(traceId, statusCode, String(message))
  }
  return errorReply(traceId, 500, 'Internal Server Error')
}

function isOfFacts({ path, code }: Issue): boolean {
  // A key that a request does not have can be any text, `facts.x` too.
  return /^facts(\.|$)/.test(path) && code !== 'unknown' && code !== 'duplicate'
}

/** Sponsorship is off: nothing is wrong with the request itself. */
function isOfPolicy({ path, code }: Issue): boolean {
  return path === 'feePayerAddress' && code === 'rule'
}
