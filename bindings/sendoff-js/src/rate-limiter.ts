import { kind, ofDocument, ofNumber, ofText, refuse } from './argument.js'
import { invoke } from './backend.js'
import { type Issue, type IssueCode, SendoffError } from './error.js'
import { own } from './own.js'
import { safe } from './result.js'
import type { Admission, Document, Policy, Verdict, Window } from './types.js'

/** The windows of all callers, sorted by scope: plain data that JSON keeps. */
export type Snapshot = readonly (readonly [scope: string, start: number, count: number])[]

/** The bound of time in ECMAScript, in milliseconds from the epoch. */
const MAX_TIME = 8.64e15
const DAY_MS = 86_400_000

/**
 * A rate limit for the callers of one process: the windows of {@link admit}, kept by scope.
 *
 * Callers of past days are dropped at the first call of a day; there is no timer and nothing to free. All state is
 * in JavaScript and written after the core has answered, so a call that fails leaves it as it was.
 *
 * @example
 * ```ts
 * const limiter = new RateLimiter({ limit: 1500, windowMs: 300_000 })
 *
 * const verdict = limiter.admit(`production:${apiKey}`, Date.now())
 * if (!verdict.admitted) return rateLimited(traceId, verdict.retryAfter)
 * ```
 */
export class RateLimiter {
  readonly #policy: string
  readonly #times: Readonly<Record<'holdMs' | 'dayOffsetMs' | 'carriedMs', number>>
  #callers = new Map<string, Window>()
  /** The day of the last cleanup. */
  #swept = NaN

  /** @throws {@link SendoffError} with every problem of the policy. */
  constructor(policy: Document<Policy>) {
    this.#policy = ofDocument(policy)
    // The core checks the policy. These are the defaults of the fields that it may leave out.
    invoke<Verdict>('peek', this.#policy, 'null', '0')
    const { windowMs, dayOffsetMinutes = 0, midnight, holdMs = windowMs }: Policy = own(JSON.parse(this.#policy))
    this.#times = { holdMs, dayOffsetMs: dayOffsetMinutes * 60_000, carriedMs: midnight === 'carry' ? windowMs : 0 }
  }

  /** The number of callers that are held. */
  get size(): number {
    return this.#callers.size
  }

  /**
   * A call that counts.
   *
   * @param scope - The caller, in the host's own words; not empty.
   * @throws {@link SendoffError} with every problem of the arguments.
   */
  admit(scope: string, now: number, cost = 1): Verdict {
    const held = ofNumber(this.#window(scope))
    const { window, verdict } = invoke<Admission>('admit', this.#policy, held, ofNumber(now, 'now'), ofNumber(cost, 'cost'))
    this.#keep(scope, window, now)
    return verdict
  }

  /**
   * A request that does not count: it can only start the day's first window.
   *
   * @throws {@link SendoffError} with every problem of the arguments.
   */
  touch(scope: string, now: number): Window {
    const window = invoke<Window>('touch', this.#policy, ofNumber(this.#window(scope)), ofNumber(now, 'now'))
    this.#keep(scope, window, now)
    return window
  }

  /**
   * The verdict that {@link admit} would give; nothing is counted.
   *
   * @throws {@link SendoffError} with every problem of the arguments.
   */
  peek(scope: string, now: number, cost = 1): Verdict {
    return invoke('peek', this.#policy, ofNumber(this.#window(scope)), ofNumber(now, 'now'), ofNumber(cost, 'cost'))
  }

  snapshot(): Snapshot {
    const rows = Array.from(this.#callers, ([scope, { start, count }]) => [scope, start, count] as const)
    return rows.sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /**
   * Replaces all callers with those of a snapshot.
   *
   * @throws {@link SendoffError} with every problem of the snapshot; the callers are then unchanged.
   */
  restore(snapshot: Snapshot): void {
    this.#callers = read(JSON.parse(ofNumber(snapshot)))
    this.#swept = NaN
  }

  #window(scope: string): Window | null {
    if (ofText(scope) === '') return refuse('', 'format', 'expected a scope, found an empty text')
    return this.#callers.get(scope) ?? null
  }

  #keep(scope: string, window: Window, now: number): void {
    this.#sweep(now)
    this.#callers.set(scope, window)
  }

  /** Drops callers that would start anew at their next call, even if the clock steps back by the whole hold time. */
  #sweep(now: number): void {
    const earliest = Math.max(-MAX_TIME, now - this.#times.holdMs)
    const day = this.#day(earliest)
    // A clock that moves back and forth around midnight must not cause a scan of all callers each time.
    if (day === this.#swept || day === this.#swept - 1) return
    this.#swept = day
    for (const [scope, { start }] of this.#callers) {
      if (this.#day(start) < day && earliest - start >= this.#times.carriedMs) this.#callers.delete(scope)
    }
  }

  #day(time: number): number {
    return Math.floor((time + this.#times.dayOffsetMs) / DAY_MS)
  }
}

/** The windows of a whole snapshot, or all of its problems. The core checks each window. */
function read(snapshot: unknown): Map<string, Window> {
  if (!Array.isArray(snapshot)) return refuse('', 'type', `expected a snapshot, an array, found ${kind(snapshot)}`)
  const callers = new Map<string, Window>()
  const issues: Issue[] = []
  for (const [index, row] of snapshot.entries()) {
    const wrong = (path: string, code: IssueCode, message: string) => void issues.push({ path: `${index}${path}`, code, message })
    if (!Array.isArray(row) || row.length !== 3) {
      wrong('', 'type', `expected a row of scope, start and count, found ${kind(row)}`)
      continue
    }
    const [scope, start, count] = row
    if (typeof scope !== 'string') wrong('.0', 'type', `expected a scope, found ${kind(scope)}`)
    else if (scope === '') wrong('.0', 'format', 'expected a scope, found an empty text')
    else if (callers.has(scope)) wrong('.0', 'duplicate', 'expected each scope once, found it twice')
    const window = { start, count }
    const checked = isWindow(window)
    if (!checked.ok) for (const { path, code, message } of checked.issues) wrong(path === 'document.start' ? '.1' : '.2', code, message)
    callers.set(scope, window)
  }
  if (issues.length > 0) throw new SendoffError(issues)
  return callers
}

const isWindow = /* @__PURE__ */ safe((window: Window) => invoke('checkDocument', 'Window', ofNumber(window)))
