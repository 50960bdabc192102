import type { Window } from './types.js'

/** The initial capacity. */
const FEWEST = 16

/**
 * The windows of many callers: at most 24 bytes each beside the map of their scopes, and no objects for the garbage
 * collector to visit.
 */
export class Callers {
  /** The slot of each scope's window. The slots are in the order of the map, without gaps. */
  readonly #slots = new Map<string, number>()
  #starts = new Float64Array(FEWEST)
  #counts = new Uint32Array(FEWEST)

  get size(): number {
    return this.#slots.size
  }

  get(scope: string): Window | null {
    const slot = this.#slots.get(scope)
    return slot === undefined ? null : this.#at(slot)
  }

  set(scope: string, { start, count }: Window): void {
    const slot = this.#slots.get(scope) ?? this.size
    if (slot === this.#starts.length) this.#resize()
    this.#slots.set(scope, slot)
    this.#starts[slot] = start
    this.#counts[slot] = count
  }

  /** Drops windows that need not be kept. */
  retain(keeps: (start: number) => boolean): void {
    let next = 0
    for (const [scope, slot] of this.#slots) {
      const { start, count } = this.#at(slot)
      if (!keeps(start)) {
        this.#slots.delete(scope)
        continue
      }
      this.#slots.set(scope, next)
      this.#starts[next] = start
      this.#counts[next] = count
      next++
    }
    this.#resize()
  }

  *[Symbol.iterator](): Generator<[scope: string, window: Window]> {
    for (const [scope, slot] of this.#slots) yield [scope, this.#at(slot)]
  }

  #at(slot: number): Window {
    return { start: this.#starts[slot] as number, count: this.#counts[slot] as number }
  }

  /** Doubles the capacity. */
  #resize(): void {
    const room = Math.max(FEWEST, this.size * 2)
    const [starts, counts] = [this.#starts, this.#counts]
    this.#starts = new Float64Array(room)
    this.#counts = new Uint32Array(room)
    this.#starts.set(starts.subarray(0, this.size))
    this.#counts.set(counts.subarray(0, this.size))
  }
}
