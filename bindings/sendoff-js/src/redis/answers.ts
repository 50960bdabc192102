import { plan, redisAnswer } from '../index.js'
import type { Policy, RedisAnswer } from '../index.js'
import { Memory } from './memory.js'

/** A window that was answered before. */
interface Running {
  readonly until: number
  readonly start: number
  /** Its end, known from the second answer on. */
  end?: number | undefined
}

/** The script's number for a call in a window that is running. */
const SAME = 2

/**
 * The answers of the script, read by the core.
 *
 * Only the time and the count change between calls that one window admits. From the second call on, their verdict is put
 * together here from the window's end, which the core computed: asking the core about each takes half of the client's time.
 *
 * @internal
 */
export class Answers {
  readonly #policy: string
  readonly #limit: number
  readonly #running = new Memory<Running>()

  constructor(policy: string) {
    this.#policy = policy
    const { limit }: Policy = JSON.parse(policy)
    this.#limit = limit
  }

  /** @throws `SendoffError` for numbers that the script does not give under this policy. */
  read(scope: string, numbers: unknown): RedisAnswer {
    // Clients can be configured to return integers as strings or BigInts.
    const integers = Array.isArray(numbers) ? numbers.map(Number) : []
    return this.#again(scope, integers) ?? this.#read(scope, integers)
  }

  /** Any answer. */
  #read(scope: string, integers: readonly number[]): RedisAnswer {
    const answer = redisAnswer(this.#policy, integers)
    this.#running.set(scope, { until: Number.POSITIVE_INFINITY, start: answer.window.start })
    return answer
  }

  /** An admitted call in a window that is known; undefined if it is any other answer. */
  #again(scope: string, integers: readonly number[]): RedisAnswer | undefined {
    const [phase, granted = 0, at = 0, start = 0, count = 0, ...more] = integers
    if (phase !== SAME || !integers.every(Number.isSafeInteger) || more.length > 0) return undefined
    const remaining = this.#limit - count
    if (granted < 1 || count < granted || remaining < 0) return undefined
    const known = this.#running.get(scope, 0)
    if (known?.start !== start) return undefined
    // One call more than are left can be sent when the next window starts.
    known.end ??= plan(this.#policy, { start, count }, at, remaining + 1).at(-1)?.at
    const { end = 0 } = known
    if (at < start || at >= end) return undefined
    const verdict = { admitted: true, phase: 'same', remaining, resetAfter: Math.ceil((end - at) / 1000) } as const
    return { at, granted, window: { start, count }, verdict }
  }
}
