import type { Window } from './types.js'

/** The room that is there from the beginning. */
const FEWEST = 16

/**
 * The windows of many callers: at most 24 bytes each beside the map from their scopes, and nothing for the garbage
 * collector to follow.
 */
export class Callers {
  /** Where each scope's window is. The slots are in the order of the map, without gaps. */
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

  /** Forgets the windows that are not to be kept. */
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

  /** Makes room for as many again. */
  #resize(): void {
    const room = Math.max(FEWEST, this.size * 2)
    const [starts, counts] = [this.#starts, this.#counts]
    this.#starts = new Float64Array(room)
    this.#counts = new Uint32Array(room)
    this.#starts.set(starts.subarray(0, this.size))
    this.#counts.set(counts.subarray(0, this.size))
  }
}
