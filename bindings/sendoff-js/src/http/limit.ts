// The limit of a guard: no limit, a limiter in this process, a limiter that many processes share, or both.

import { SendoffError, type Verdict } from '../index.js'
import { member, own } from '../own.js'
import { anything, isFunction, type Rules, withFunctions } from './options.js'

/** The limit: no limit, a `limiter` of this process, a `store` that processes share, or a store with a limiter behind it. */
export interface Limits {
  /**
   * A `RateLimiter`. With a `store` it counts only while the store is lost and `onStoreLoss` is `local`. Without a `store` it must be
   * there: `none` is no limit.
   */
  readonly limiter?: LocalLimiter | 'none' | undefined
  /** The time for `limiter`, in milliseconds since the epoch. Absent means `Date.now`. */
  readonly now?: (() => number) | undefined
  /** `RedisWindows` of `sendoff/redis`, or the like. It needs `onStoreLoss`. */
  readonly store?: SharedLimiter | undefined
  /**
   * The rule for calls that count while the store does not answer: `refuse` answers 503, `admit` admits them without a count, and
   * `local` counts them in `limiter`, so that each process can admit up to the limit. All other requests pass. A function decides by
   * the error, and can log it. One request per second tries a lost store again.
   */
  readonly onStoreLoss?: 'refuse' | 'admit' | 'local' | ((error: unknown) => 'refuse' | 'admit' | 'local') | undefined
}

/** The part of a `RateLimiter` that a guard uses. */
export interface LocalLimiter {
  admit(scope: string, now: number): Verdict
  touch(scope: string, now: number): unknown
}

/** A limiter with its own clock. */
export interface SharedLimiter {
  admit(scope: string): Verdict | Promise<Verdict>
  touch(scope: string): unknown
}

/**
 * The verdict on a request that counts; `lost` if the store does not answer and the request must be refused.
 *
 * @internal
 */
export type Limit = (scope: string, counts: boolean, onLoss: (error: unknown) => void) => Promise<Verdict | 'lost' | undefined>

const LIMITER = withFunctions('a `RateLimiter` or `none`', 'admit', 'touch')

/** @internal */
export const LIMITS: Rules = {
  limiter: (value) => (value === 'none' ? undefined : LIMITER(value)),
  now: isFunction,
  store: withFunctions('`RedisWindows` or the like', 'admit', 'touch'),
  onStoreLoss: anything,
}

const NO_LIMITER = "expected a `limiter` for `onStoreLoss: 'local'`, found none"

/**
 * The limit of a guard.
 *
 * @throws TypeError for options that contradict each other.
 *
 * @internal
 */
export function limitOf(given: Limits): Limit {
  const { limiter, store, now = Date.now, onStoreLoss } = own(given)
  const word = typeof onStoreLoss === 'function' ? 'any' : onStoreLoss
  const wrong = store
    ? [
        limiter === 'none' && "expected `store` or `limiter: 'none'`, found both",
        limiter && !['any', 'local'].includes(word!) && "expected `limiter` or `store`, or both with `onStoreLoss: 'local'`, found both without",
        !['any', 'refuse', 'admit', 'local'].includes(word!) && `expected \`onStoreLoss\` to be \`refuse\` or \`admit\` or \`local\`, found ${word}`,
        !limiter && word === 'local' && NO_LIMITER,
      ]
    : [
        // Nothing would read it.
        onStoreLoss !== undefined && 'expected a `store` beside `onStoreLoss`, found none',
        limiter === undefined && "expected `limiter` or `store`, or `limiter: 'none'` for no limit, found none of them",
      ]
  const message = wrong.find(Boolean)
  if (message) throw new TypeError(message)
  const alone = limiter && limiter !== 'none' ? local(limiter, now) : undefined
  if (store) return shared(store, onStoreLoss, alone ?? (async () => Promise.reject(new Error(NO_LIMITER))))
  return alone ?? (async () => undefined)
}

function local(limiter: LocalLimiter, now: () => number): Limit {
  return async (scope, counts) => {
    try {
      return counts ? limiter.admit(scope, now()) : void limiter.touch(scope, now())
    } catch (cause) {
      return failed(cause)
    }
  }
}

/** How long a lost store is left alone, in milliseconds. A call to it would only delay the caller. */
const LEFT_ALONE_MS = 1_000

function shared(store: SharedLimiter, onStoreLoss: Limits['onStoreLoss'], fallback: Limit): Limit {
  /** While the store is lost: the error, and the time of the next try. */
  let loss: { readonly error: unknown; again: number } | undefined
  const ask = async (scope: string, counts: boolean) => {
    if (loss) {
      const now = performance.now()
      if (now < loss.again) throw loss.error
      // This request tries the store. Requests that arrive meanwhile do not wait.
      loss.again = now + LEFT_ALONE_MS
    }
    try {
      const verdict = await (counts ? store.admit(scope) : store.touch(scope))
      loss = undefined
      return counts ? (verdict as Verdict) : undefined
    } catch (error) {
      // An empty scope or a window that cannot be read does not mean that the store is lost.
      const isOfWindow = member(Object(error) as Error, 'name') === 'WindowError'
      if (!SendoffError.is(error) && !isOfWindow) loss = { error, again: performance.now() + LEFT_ALONE_MS }
      throw error
    }
  }
  return async (scope, counts, onLoss) => {
    try {
      return await ask(scope, counts)
    } catch (cause) {
      if (SendoffError.is(cause)) return failed(cause)
      onLoss(cause)
      const decision = typeof onStoreLoss === 'function' ? onStoreLoss(cause) : onStoreLoss
      if (decision === 'local') return fallback(scope, counts, onLoss)
      return counts && decision !== 'admit' ? 'lost' : undefined
    }
  }
}

/** Throws another error for an invalid scope or time, because a SendoffError would look like a problem of the request's body. */
function failed(cause: unknown): never {
  throw new Error('the limiter failed', { cause })
}
