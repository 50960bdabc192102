/**
 * The store's clock as known from its answers. It converts deadlines by the process's clock into the store's time.
 *
 * @internal
 */
export class Clock {
  /** The smallest lead of the store's clock; undefined before the first answer. */
  #lead: number | undefined

  /** The store's clock showed this time, rounded down to whole milliseconds, between sending and arrival. */
  hear(at: number, sent: number, came: number): void {
    const [least, most] = [at - came, at + 1 - sent]
    const lead = this.#lead
    // A lead above the largest possible one means that a clock was set back, or that this is another store.
    this.#lead = lead !== undefined && lead >= least && lead <= most ? lead : least
  }

  /**
   * The time that the store's clock has certainly reached when this process's clock shows `now`, unless it is set back.
   * The earliest time while that is unknown. A timer may fire a millisecond early.
   */
  at(time: number): number {
    return this.#lead === undefined ? -8.64e15 : Math.floor(time + this.#lead - 1)
  }
}
