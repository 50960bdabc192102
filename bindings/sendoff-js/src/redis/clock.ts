/**
 * The store's clock as known from its answers. It converts deadlines by the process's clock into the store's time.
 *
 * @internal
 */
export class Clock {
  /** The smallest lead of the store's clock; that of no clock before the first answer. */
  #lead = Number.NEGATIVE_INFINITY

  /** The store's clock showed this time, rounded down to whole milliseconds, between sending and arrival. */
  learn(at: number, sent: number, came: number): void {
    const [least, most] = [at - came, at + 1 - sent]
    // A lead above the largest possible one means that a clock was set back, or that this is another store.
    this.#lead = this.#lead > most ? least : Math.max(this.#lead, least)
  }

  /**
   * The time that the store's clock has certainly reached when this process's clock shows `now`, unless it is set back.
   * The earliest time while that is unknown. A timer may fire a millisecond early.
   */
  at(time: number): number {
    return Math.max(-8.64e15, Math.floor(time + this.#lead - 1))
  }
}
