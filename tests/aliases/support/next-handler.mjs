// The handler of an operation in Next. It prints a line for each call that it counts or is reached by.

import { RateLimiter } from 'sendoff'
import { guardFetch } from 'sendoff/http'

const windows = new RateLimiter({ limit: 1_000, windowMs: 300_000 })
const limiter = {
  admit(scope, now) {
    const verdict = windows.admit(scope, now)
    if (verdict.admitted) console.log(`counted ${scope}`)
    return verdict
  },
  touch: (scope, now) => windows.touch(scope, now),
}

/** Prints that an operation's handler was reached; behind the guard, if there is one. */
export function handler(operation) {
  const reached = (request) => {
    console.log(`reached ${request.headers.get('x-request-id')} ${operation}`)
    return new Response()
  }
  if (!process.env.GUARDED) return reached
  return guardFetch({ limiter, scope: ({ headers }, found) => `${headers.get('x-request-id')} ${found}` }, reached)
}
