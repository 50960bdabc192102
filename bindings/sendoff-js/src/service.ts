// The service around the estimate: its operations, its replies, its tokens.

import { document, json, text } from './argument.js'
import { ask } from './backend.js'
import type { Bearer, Document, FoundOperation, OperationId, RateLimited, Reply } from './types.js'

/**
 * The operation that a request names, by its method and its target as it stands in the request line. Another spelling
 * of an operation's path is refused by name, so that no limit is passed by.
 */
export function findOperation(method: string, target: string): FoundOperation {
  return ask('findOperation', text(method), text(target, 'target'))
}

/**
 * The path of an operation: {@link findOperation} reads what it writes.
 *
 * @throws {@link SendoffError} `format` at the root for an unknown operation, else with every problem of the parameters
 * under `params.`.
 */
export function operationPath(operation: OperationId, params: Document<{ readonly [name: string]: string }>): string {
  return ask('operationPath', text(operation), document(params, 'params'))
}

/**
 * The reply to a call that a rate limit refuses.
 *
 * @param traceId - 1 to 128 characters.
 * @param retryAfter - Seconds, from 1: the verdict's.
 * @throws {@link SendoffError} where one of them is out of bounds.
 */
export function rateLimited(traceId: string, retryAfter: number): RateLimited {
  return ask('rateLimited', text(traceId), json(retryAfter, 'retryAfter'))
}

/**
 * Reads a reply of the service, its success or its error envelope in every form that was seen of it.
 *
 * @throws {@link SendoffError} where it is neither.
 */
export function readReply(reply: Document<unknown>): Reply {
  return ask('readReply', document(reply))
}

/**
 * The token of an `Authorization` header's value. Source: RFC 6750.
 *
 * @throws {@link SendoffError} where there is none.
 */
export function readBearer(headerValue: string): Bearer {
  return ask('readBearer', text(headerValue))
}
