// By what a guard limits: nothing, a limiter in this process, or one that many processes share.

import { SendoffError, type Verdict } from '../index.js'

/** No limit. */
export interface NoLimit {
  readonly limiter?: undefined
  readonly store?: undefined
}

/** A limit that this process keeps. */
export interface LocalLimit {
  /** A `RateLimiter`. */
  readonly limiter: LocalLimiter
  /** The time, in milliseconds since the epoch. Absent means `Date.now`. */
  readonly now?: (() => number) | undefined
  readonly store?: undefined
}

/** A limit that many processes share. */
export interface SharedLimit {
  /** `RedisWindows` of `sendoff/redis`, or the like. */
  readonly store: SharedLimiter
  /**
   * What happens to a request while the store does not answer: `refuse` answers 503, `pass` lets it through. A function
   * decides by the error, and is the place to log it.
   */
  readonly onStoreLoss: Decision | ((error: unknown) => Decision)
  readonly limiter?: undefined
}

type Decision = 'refuse' | 'pass'

/** As much of a `RateLimiter` as a guard uses. */
export interface LocalLimiter {
  admit(scope: string, now: number): Verdict
  touch(scope: string, now: number): unknown
}

/** A limiter with a clock of its own. */
export interface SharedLimiter {
  admit(scope: string): Verdict | Promise<Verdict>
  touch(scope: string): unknown
}

/**
 * The verdict on a request that counts; `lost` where the store has none and the request is to be refused.
 *
 * @internal
 */
export type Limit = (scope: string, counts: boolean) => Promise<Verdict | 'lost' | undefined>

/** @internal */
export function limitOf(options: NoLimit | LocalLimit | SharedLimit): Limit {
  if (options.limiter && options.store) throw new Error('expected `limiter` or `store`, found both')
  if (options.store) return shared(options)
  if (options.limiter) return local(options)
  return async () => undefined
}

function local({ limiter, now = Date.now }: LocalLimit): Limit {
  return async (scope, counts) => {
    try {
      if (counts) return limiter.admit(scope, now())
      limiter.touch(scope, now())
      return undefined
    } catch (cause) {
      return failed(cause)
    }
  }
}

function shared({ store, onStoreLoss }: SharedLimit): Limit {
  if (typeof onStoreLoss !== 'function' && onStoreLoss !== 'refuse' && onStoreLoss !== 'pass') {
    throw new Error(`expected \`onStoreLoss\` to be \`refuse\` or \`pass\`, found ${String(onStoreLoss)}`)
  }
  return async (scope, counts) => {
    try {
      if (counts) return await store.admit(scope)
      await store.touch(scope)
      return undefined
    } catch (cause) {
      if (SendoffError.is(cause)) return failed(cause)
      const decision = typeof onStoreLoss === 'function' ? onStoreLoss(cause) : onStoreLoss
      return decision === 'pass' ? undefined : 'lost'
    }
  }
}

/** A scope or a time that is none. As a SendoffError it would look like a problem of a request's body. */
function failed(cause: unknown): never {
  throw new Error('the limiter cannot be asked', { cause })
}
