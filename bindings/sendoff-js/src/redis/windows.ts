import { plan, redisAnswer, redisRequest } from '../index.js'
import type { Document, Phase, Policy, RedisAnswer, RedisAsk, Verdict } from '../index.js'
import { type IoRedis, type NodeRedis, type Script, scriptOf } from './client.js'
import { Clock } from './clock.js'
import { Memory } from './memory.js'
import { SilenceError, within } from './time-limit.js'

export interface RedisWindowsOptions {
  /** 1 to 32 letters, digits, `-` or `_`: each environment has windows of its own. */
  readonly environment: string
  /** The host's own, the same in all processes: without it no scope can be found out from the store. */
  readonly secret?: string | undefined
  /** How long a call waits for the store, in milliseconds. Absent means 250. */
  readonly timeoutMs?: number | undefined
  /**
   * Called when the store did not answer in time: the place to have the client connect anew, where it does not by itself.
   * A connection can go silent without an end, as when the address leads to another store after a failover.
   */
  readonly onSilence?: (() => void) | undefined
}

/**
 * A window that cannot be read: its key holds something else. Other scopes have theirs.
 */
export class WindowError extends Error {
  static { this.prototype.name = 'WindowError' }
}

/** How often a call is sent that the store takes up too late: the first answer tells the store's clock. */
const TRIES = 3

/** A window that is known to be full. Times are of the process's own clock, which only goes forward. */
interface Refusal {
  /** When it has not ended for certain. */
  readonly until: number
  /** When it has ended for certain. */
  readonly ended: number
  readonly phase: Phase
}

/** A day whose first request is known. */
interface Anchor {
  readonly until: number
}

const DAY_MS = 86_400_000

/**
 * A rate limit for callers of many processes: the windows of `admit`, kept in Redis or Valkey by the store's clock, one
 * round trip a call. A refusal writes nothing.
 *
 * What cannot have changed is not asked again: a full window is refused here until it may have ended, and a day whose
 * first request is known is touched here until it may have ended. That much is remembered for 65,536 scopes.
 *
 * A call rejects where the store does not answer in time. It has a deadline by the store's clock and is not counted after
 * that; only a call whose answer was lost on the way has been counted. So that no call is counted twice, the client should
 * keep no queue while it is not connected, nor send a call again: in ioredis `enableOfflineQueue: false` and
 * `autoResendUnfulfilledCommands: false`, in node-redis `disableOfflineQueue: true`. And it should leave a connection that
 * has gone silent: in ioredis `socketTimeout: 1000`; node-redis has no such option, so {@link RedisWindowsOptions.onSilence}
 * has it connect anew.
 *
 * @example
 * ```ts
 * const silent = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, socketTimeout: 1_000 }
 * const redis = new Redis(url, silent)
 * const windows = new RedisWindows(redis, { limit: 1500, windowMs: 300_000 }, { environment: 'production', secret })
 *
 * const verdict = await windows.admit(apiKey)
 * ```
 */
export class RedisWindows {
  readonly #run: Script
  readonly #policy: string
  readonly #dayOffsetMs: number
  readonly #asked: { readonly environment: string; readonly secret: string }
  readonly #timeoutMs: number
  readonly #onSilence: () => void
  readonly #clock = new Clock()
  readonly #refusals = new Memory<Refusal>()
  readonly #anchors = new Memory<Anchor>()

  /**
   * @param client - Of ioredis or of node-redis, for one node or a cluster.
   * @throws `SendoffError` with every problem of the policy and, under `ask.`, of the options; Error for another client
   * and for a time that is none.
   */
  constructor(client: IoRedis | NodeRedis, policy: Document<Policy>, options: RedisWindowsOptions) {
    const { environment, secret = '', timeoutMs = 250, onSilence = () => {} } = options
    if (!(timeoutMs >= 1 && timeoutMs < 2 ** 31)) {
      throw new Error(`expected \`timeoutMs\` from 1 to 2147483647, found ${timeoutMs}`)
    }
    // The core judges them, before there is a call.
    redisRequest(policy, { environment, secret, scope: 'any', kind: 'peek' })
    this.#run = scriptOf(client)
    this.#policy = typeof policy === 'string' ? policy : JSON.stringify(policy)
    const { dayOffsetMinutes = 0 }: Policy = JSON.parse(this.#policy)
    this.#dayOffsetMs = dayOffsetMinutes * 60_000
    this.#asked = { environment, secret }
    this.#timeoutMs = timeoutMs
    this.#onSilence = onSilence
  }

  /**
   * A call that counts.
   *
   * @param scope - Who calls: the host's own words, not empty.
   * @param cost - How many calls it counts as.
   * @throws `SendoffError` with every problem of the arguments, under `ask.`; the client's error, or one of time, where
   * the store does not answer; {@link WindowError} where this scope's key holds something else than a window.
   */
  async admit(scope: string, cost = 1): Promise<Verdict> {
    return this.#verdict('admit', scope, cost)
  }

  /**
   * A request that does not count: it can only start the day's first window.
   *
   * @throws as {@link admit}.
   */
  async touch(scope: string): Promise<void> {
    if (!this.#anchors.get(scope, performance.now())) await this.#ask('touch', scope, 1)
  }

  /**
   * The verdict that {@link admit} would give; nothing is counted.
   *
   * @throws as {@link admit}.
   */
  async peek(scope: string, cost = 1): Promise<Verdict> {
    return this.#verdict('peek', scope, cost)
  }

  async #verdict(kind: 'admit' | 'peek', scope: string, cost: number): Promise<Verdict> {
    const now = performance.now()
    // Of another cost it is not known whether the policy takes it.
    const refusal = cost === 1 ? this.#refusals.get(scope, now) : undefined
    if (refusal) return { admitted: false, phase: refusal.phase, retryAfter: Math.ceil((refusal.ended - now) / 1000) }
    const { verdict } = await this.#ask(kind, scope, cost)
    // Only a touch has none, and a call that was late.
    return verdict as Verdict
  }

  async #ask(kind: RedisAsk['kind'], scope: string, cost: number): Promise<RedisAnswer> {
    const until = performance.now() + this.#timeoutMs
    for (let tries = 0; tries < TRIES; tries++) {
      const sent = performance.now()
      // What is answered after `until` was rejected, so it must not be counted.
      const deadline = kind === 'admit' ? { deadline: this.#clock.at(until) } : {}
      const request = redisRequest(this.#policy, { ...this.#asked, scope, kind, cost, ...deadline })
      const numbers = await this.#heard(within(this.#timeoutMs, until - sent, this.#run(request)))
      const came = performance.now()
      const answer = this.#read(numbers)
      this.#clock.hear(answer.at, sent, came)
      if (kind === 'admit' && !answer.verdict) continue
      if (kind !== 'peek') this.#rememberAnchor(scope, answer, sent)
      if (answer.verdict?.admitted === false) this.#rememberRefusal(scope, answer, sent, came)
      return answer
    }
    throw new SilenceError(`expected the store to take the call up within ${this.#timeoutMs} ms, found that it was late`)
  }

  async #heard(answer: Promise<unknown>): Promise<unknown> {
    try {
      return await answer
    } catch (error) {
      if (error instanceof SilenceError) this.#onSilence()
      const { message } = Object(error)
      throw String(message).startsWith('SENDOFF') ? new WindowError(message, { cause: error }) : error
    }
  }

  #read(numbers: unknown): RedisAnswer {
    try {
      // A client may be told to give integers as texts or as BigInts.
      return redisAnswer(this.#policy, Array.isArray(numbers) ? numbers.map(Number) : [])
    } catch (cause) {
      throw new WindowError('expected the answer of the script, found another', { cause })
    }
  }

  /** The store read its clock between `sent` and `came`, and rounded down to whole milliseconds. */
  #rememberRefusal(scope: string, { at, window, verdict }: RedisAnswer, sent: number, came: number): void {
    // When a single call is admitted: at once, where only a batch was too large.
    const [next] = plan(this.#policy, window, at, 1)
    if (!next || !verdict) return
    const left = next.at - at
    this.#refusals.set(scope, { until: sent + left - 1, ended: came + left, phase: verdict.phase })
  }

  #rememberAnchor(scope: string, { at, window }: RedisAnswer, sent: number): void {
    const day = this.#day(at)
    // A window that was carried over midnight belongs to the day before.
    if (this.#day(window.start) !== day) return
    const left = (day + 1) * DAY_MS - this.#dayOffsetMs - at
    this.#anchors.set(scope, { until: sent + left - 1 })
  }

  #day(time: number): number {
    return Math.floor((time + this.#dayOffsetMs) / DAY_MS)
  }
}
