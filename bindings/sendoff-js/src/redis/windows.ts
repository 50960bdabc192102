import { plan, redisAnswer, redisRequest } from '../index.js'
import type { Document, Phase, Policy, RedisAnswer, RedisAsk, Verdict } from '../index.js'
import { type IoRedis, type NodeRedis, type Script, scriptOf } from './client.js'
import { Memory } from './memory.js'
import { within } from './time-limit.js'

export interface RedisWindowsOptions {
  /** 1 to 32 letters, digits, `-` or `_`: each environment has windows of its own. */
  readonly environment: string
  /** The host's own, the same in all processes: without it no scope can be found out from the store. */
  readonly secret?: string | undefined
  /** How long a call waits for the store, in milliseconds. Absent means 250. */
  readonly timeoutMs?: number | undefined
}

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
 * A call rejects where the store does not answer in time, and may then have been counted. So that no call is counted
 * twice or after the fact, the client should keep no queue while it is not connected, nor send a call again: in ioredis
 * `enableOfflineQueue: false` and `autoResendUnfulfilledCommands: false`, in node-redis `disableOfflineQueue: true`.
 *
 * @example
 * ```ts
 * const redis = new Redis(url, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false })
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
  readonly #refusals = new Memory<Refusal>()
  readonly #anchors = new Memory<Anchor>()

  /**
   * @param client - Of ioredis or of node-redis, for one node or a cluster.
   * @throws `SendoffError` with every problem of the policy and, under `ask.`, of the options; Error for another client
   * and for a time that is none.
   */
  constructor(client: IoRedis | NodeRedis, policy: Document<Policy>, options: RedisWindowsOptions) {
    const { environment, secret = '', timeoutMs = 250 } = options
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
  }

  /**
   * A call that counts.
   *
   * @param scope - Who calls: the host's own words, not empty.
   * @param cost - How many calls it counts as.
   * @throws `SendoffError` with every problem of the arguments, under `ask.`; the client's error, or one of time, where
   * the store does not answer.
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
    // Only a touch has none.
    return verdict as Verdict
  }

  async #ask(kind: RedisAsk['kind'], scope: string, cost: number): Promise<RedisAnswer> {
    const request = redisRequest(this.#policy, { ...this.#asked, scope, kind, cost })
    const sent = performance.now()
    const numbers = await within(this.#timeoutMs, this.#run(request))
    const came = performance.now()
    const answer = this.#read(numbers)
    if (kind !== 'peek') this.#rememberAnchor(scope, answer, sent)
    if (answer.verdict?.admitted === false) this.#rememberRefusal(scope, answer, sent, came)
    return answer
  }

  #read(numbers: unknown): RedisAnswer {
    try {
      // A client may be told to give integers as texts or as BigInts.
      return redisAnswer(this.#policy, Array.isArray(numbers) ? numbers.map(Number) : [])
    } catch (cause) {
      throw new Error('expected the answer of the script, found another', { cause })
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
