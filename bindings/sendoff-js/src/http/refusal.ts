// The answers of a guard, one for each cause.

import { type FoundOperation, type OperationId, OPERATIONS, rateLimited } from '../index.js'
import { type ErrorReply, errorReply } from './reply.js'

/** @internal */
export function misdirected(traceId: string, found: Extract<FoundOperation, { refused: string }>): ErrorReply {
  switch (found.refused) {
    case 'bad-target':
      return errorReply(traceId, 400, 'expected a request target in origin form that has one reading, found another')
    case 'not-found':
      return errorReply(traceId, 404, 'expected the path of an operation, found another')
    case 'not-canonical': {
      const { id, path } = row(found.operation)
      return errorReply(traceId, 404, `expected the path \`${path}\` of \`${id}\`, found another spelling of it`)
    }
    case 'method-not-allowed': {
      const { id, method } = row(found.operation)
      const message = `expected the method \`${method}\` for \`${id}\`, found another`
      return errorReply(traceId, 405, message, { headers: { allow: method } })
    }
  }
}

/** @internal */
export function unidentified(traceId: string, operation: OperationId): ErrorReply {
  const challenge = row(operation).side === 'client' ? 'Bearer' : 'ApiKey'
  const more = { errorCode: 'ER-TECH-0007', headers: { 'www-authenticate': challenge } }
  return errorReply(traceId, 401, 'expected credentials of a known caller, found none', more)
}

/** @internal */
export function limitExceeded(traceId: string, retryAfter: number, fields: ErrorReply['headers']): ErrorReply {
  const { headers, ...reply } = rateLimited(traceId, retryAfter)
  return { ...reply, headers: { ...headers, ...fields } }
}

/** @internal */
export function unavailable(traceId: string): ErrorReply {
  // When the store is asked again.
  return errorReply(traceId, 503, 'the store of the rate limit does not answer', { headers: { 'retry-after': '1' } })
}

function row(operation: OperationId): (typeof OPERATIONS)[number] {
  return OPERATIONS.find(({ id }) => id === operation) as (typeof OPERATIONS)[number]
}
