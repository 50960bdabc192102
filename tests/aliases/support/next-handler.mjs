// The handler of an operation in Next. It prints a line for each call that it counts or is reached by.

import { RateLimiter } from 'sendoff'
import { guardFetch } from 'sendoff/http'

const limiter = new RateLimiter({ limit: 1_000, windowMs: 300_000 })
const onVerdict = ({ scope, verdict }) => verdict.admitted && console.log(`counted ${scope}`)

/** Prints that an operation's handler was reached; behind the guard, if there is one. */
export function handler(operation) {
  const reached = (request) => {
    console.log(`reached ${request.headers.get('x-request-id')} ${operation}`)
    return new Response()
  }
  if (!process.env.GUARDED) return reached
  const scope = ({ headers }, found) => `${headers.get('x-request-id')} ${found}`
  return guardFetch({ limiter, onVerdict, scope }, reached)
}
