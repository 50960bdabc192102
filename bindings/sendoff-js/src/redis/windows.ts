import { ofDocument } from '../argument.js'
import { member, own } from '../own.js'
import { plan, redisAnswer } from '../index.js'
import type { Document, Phase, Policy, RedisAnswer, Verdict } from '../index.js'
import { type IoRedis, type NodeRedis, type Script, scriptOf } from './client.js'
import { Clock } from './clock.js'
import { Memory } from './memory.js'
import { type Kind, Requests } from './requests.js'
import { SilenceError, within } from './time-limit.js'

export interface RedisWindowsOptions {
  /** The name of the environment, 1 to 32 letters, digits, `-` or `_`. Each environment has its own windows. */
  readonly environment: string
  /** The host's secret, the same in all processes. Without it no scope can be derived from the store. */
  readonly secret?: string | undefined
  /** How long a call waits for the store, in milliseconds. Absent means 250. */
  readonly timeoutMs?: number | undefined
  /**
   * Called when the store did not answer in time. Make the client connect anew here, if it does not do so by itself. A
   * connection can go silent without being closed, for example after a failover behind the same address.
   */
  readonly onSilence?: (() => void) | undefined
}

/**
 * A window that cannot be read, because its key holds another value. Other scopes are not affected.
 */
export class WindowError extends Error {
  static { this.prototype.name = 'WindowError' }
}

/** How often a call is sent again if the store takes it up too late: the first answer tells the store's clock. */
const TRIES = 3

/** A window that is known to be full, in times of the process's monotonic clock. */
interface Refusal {
  /** Its earliest possible end. */
  readonly until: number
  /** Its latest possible end. */
  readonly ended: number
  readonly phase: Phase
}

const DAY_MS = 86_400_000

/**
 * A rate limit for callers of many processes: the windows of `admit`, kept in Redis or Valkey by the store's clock, one
 * round trip a call. A refusal writes nothing.
 *
 * The store is not asked for what cannot have changed: a full window is refused here until its earliest possible end, and
 * a day whose first request is known is touched here until its earliest possible end. 65,536 scopes are remembered.
 *
 * A call rejects if the store does not answer in time. It has a deadline by the store's clock and is not counted after
 * that; only a call whose answer was lost has been counted. To avoid that a call is counted twice, configure the client to
 * keep no queue while it is disconnected and to send no call again: in ioredis `enableOfflineQueue: false` and
 * `autoResendUnfulfilledCommands: false`, in node-redis `disableOfflineQueue: true`. The client should also leave a
 * connection that has gone silent: in ioredis `socketTimeout: 1000`; node-redis has no such option, so make it connect anew
 * in {@link RedisWindowsOptions.onSilence}.
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
  readonly #requests: Requests
  readonly #timeoutMs: number
  readonly #onSilence: () => void
  readonly #clock = new Clock()
  readonly #refusals = new Memory<Refusal>()
  /** The days whose first request is known. */
  readonly #anchors = new Memory<{ readonly until: number }>()

  /**
   * @param client - Of ioredis or of node-redis, for one server, a cluster or sentinels.
   * @throws `SendoffError` with every problem of the policy and, under `ask.`, of the options; Error for another client
   * and if `timeoutMs` is out of range.
   */
  constructor(client: IoRedis | NodeRedis, policy: Document<Policy>, options: RedisWindowsOptions) {
    const { environment, secret = '', timeoutMs = 250, onSilence = () => {} } = own(options)
    if (!(timeoutMs >= 1 && timeoutMs < 2 ** 31)) {
      throw new Error(`expected \`timeoutMs\` from 1 to 2147483647, found ${timeoutMs}`)
    }
    // The core checks them before any call.
    this.#policy = ofDocument(policy)
    this.#requests = new Requests(this.#policy, { environment, secret })
    this.#run = scriptOf(client)
    const { dayOffsetMinutes = 0 }: Policy = own(JSON.parse(this.#policy))
    this.#dayOffsetMs = dayOffsetMinutes * 60_000
    this.#timeoutMs = timeoutMs
    this.#onSilence = onSilence
  }

  /**
   * A call that counts.
   *
   * @param scope - The caller, in the host's own words; not empty.
   * @param cost - The number of calls that it counts as.
   * @throws `SendoffError` with every problem of the arguments, under `ask.`; the client's error, or a timeout, if the
   * store does not answer; {@link WindowError} if this scope's key holds another value than a window.
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
    // Whether the policy accepts another cost is not known here.
    const refusal = cost === 1 ? this.#refusals.get(scope, now) : undefined
    if (refusal) return { admitted: false, phase: refusal.phase, retryAfter: Math.ceil((refusal.ended - now) / 1000) }
    const { verdict } = await this.#ask(kind, scope, cost)
    // Only a touch and a late call have no verdict.
    return verdict as Verdict
  }

  async #ask(kind: Kind, scope: string, cost: number): Promise<RedisAnswer> {
    const until = performance.now() + this.#timeoutMs

    for (let tries = 0; tries < TRIES; tries++) {
      const sent = performance.now()

      // A call that is answered after `until` was rejected, so it must not be counted.
      const deadline = kind === 'admit' ? this.#clock.at(until) : undefined
      const request = this.#requests.of(kind, scope, cost, deadline)
      const numbers = await within(this.#timeoutMs, until - sent, this.#run(request)).catch((error) => this.#failed(error))
      const came = performance.now()

      const answer = this.#read(numbers)
      this.#clock.learn(answer.at, sent, came)
      if (kind === 'admit' && !answer.verdict) continue
      if (kind !== 'peek') this.#rememberAnchor(scope, answer, sent)
      if (answer.verdict?.admitted === false) this.#rememberRefusal(scope, answer, sent, came)
      return answer
    }

    throw new SilenceError(`expected the store to take the call up within ${this.#timeoutMs} ms, found that it was late`)
  }

  #failed(error: unknown): never {
    if (error instanceof SilenceError) this.#onSilence()
    const message = member(Object(error) as Error, 'message')
    throw String(message).startsWith('SENDOFF') ? new WindowError(message, { cause: error }) : error
  }

  #read(numbers: unknown): RedisAnswer {
    try {
      // Clients can be configured to return integers as strings or BigInts.
      return own(redisAnswer(this.#policy, Array.isArray(numbers) ? numbers.map(Number) : []))
    } catch (cause) {
      throw new WindowError(`the script's answer: ${Object(cause).message}`, { cause })
    }
  }

  /** The store read its clock between `sent` and `came`, and rounded down to whole milliseconds. */
  #rememberRefusal(scope: string, { at, window, verdict }: RedisAnswer, sent: number, came: number): void {
    // The time at which a single call is admitted: at once, if only a batch was too large.
    const [next] = plan(this.#policy, window, at, 1)
    if (!next || !verdict) return
    const left = next.at - at
    this.#refusals.set(scope, { until: sent + left - 1, ended: came + left, phase: verdict.phase })
  }

  #rememberAnchor(scope: string, { at, window }: RedisAnswer, sent: number): void {
    const day = this.#day(at)
    // A window that midnight carried over belongs to the day before.
    if (this.#day(window.start) !== day) return
    const left = (day + 1) * DAY_MS - this.#dayOffsetMs - at
    this.#anchors.set(scope, { until: sent + left - 1 })
  }

  #day(time: number): number {
    return Math.floor((time + this.#dayOffsetMs) / DAY_MS)
  }
}
