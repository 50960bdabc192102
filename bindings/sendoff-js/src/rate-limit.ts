// Rate windows, by value: a window goes in and comes out, the time is an argument (`Date.now()`), and who keeps the
// windows is not said. RateLimiter keeps them for one process.

import { document, json, optional } from './argument.js'
import { ask } from './backend.js'
import type {
  Admission, Document, PlanEntry, Policy, RedisAnswer, RedisAsk, RedisRequest, Verdict, Window,
} from './types.js'

/**
 * A call against a caller's window, null for a caller not seen before.
 *
 * @param now - Integer milliseconds since the epoch.
 * @param cost - How many calls it counts as, from 1 to the policy's limit. Absent means 1.
 * @throws {@link SendoffError} with every problem of the arguments.
 *
 * @example
 * ```ts
 * const { window, verdict } = admit({ limit: 1500, windowMs: 300_000 }, windows.get(key) ?? null, Date.now())
 * windows.set(key, window)
 * if (!verdict.admitted) return rateLimited(traceId, verdict.retryAfter)
 * ```
 */
export function admit(
  policy: Document<Policy>,
  window: Document<Window | null>,
  now: number,
  cost?: number,
): Admission {
  return ask('admit', document(policy), document(window, 'window'), json(now, 'now'), optional(json, cost, 'cost'))
}

/**
 * A caller's window after a request that does not count: it can only start the day's first.
 *
 * @throws {@link SendoffError} with every problem of the arguments.
 */
export function touch(policy: Document<Policy>, window: Document<Window | null>, now: number): Window {
  return ask('touch', document(policy), document(window, 'window'), json(now, 'now'))
}

/**
 * The verdict that {@link admit} would give.
 *
 * @throws {@link SendoffError} where {@link admit} does.
 */
export function peek(policy: Document<Policy>, window: Document<Window | null>, now: number, cost?: number): Verdict {
  return ask('peek', document(policy), document(window, 'window'), json(now, 'now'), optional(json, cost, 'cost'))
}

/**
 * The earliest schedule of `n` calls that is never refused to a caller alone.
 *
 * @throws {@link SendoffError} with every problem of the arguments; a schedule of more than 100,000 entries is `range`
 * at `n`.
 */
export function plan(
  policy: Document<Policy>,
  window: Document<Window | null>,
  now: number,
  n: number,
): readonly PlanEntry[] {
  return ask('plan', document(policy), document(window, 'window'), json(now, 'now'), json(n, 'n'))
}

/**
 * The call of {@link REDIS_SCRIPT} for windows that many processes share: `EVALSHA sha1 1 key ...arguments`, or `EVAL`
 * with its text where the store does not know it. `sendoff/redis` sends it.
 *
 * @throws {@link SendoffError} with every problem of the policy and, under `ask.`, of what is asked.
 */
export function redisRequest(policy: Document<Policy>, asked: Document<RedisAsk>): RedisRequest {
  return ask('redisRequest', document(policy), document(asked, 'ask'))
}

/**
 * What the script answered, five integers.
 *
 * @throws {@link SendoffError} for what it does not answer under this policy, under `numbers`.
 */
export function redisAnswer(policy: Document<Policy>, numbers: readonly number[]): RedisAnswer {
  return ask('redisAnswer', document(policy), json(numbers, 'numbers'))
}
