/**
 * The store's clock, as far as answers tell it: for deadlines, by the process's own clock, that the store keeps.
 *
 * @internal
 */
export class Clock {
  /** The least lead of the store's clock; undefined before anything was heard. */
  #lead: number | undefined

  /** The store's clock was at this time after the sending and before the coming, and rounded down to whole milliseconds. */
  hear(at: number, sent: number, came: number): void {
    const [least, most] = [at - came, at + 1 - sent]
    const lead = this.#lead
    // A lead above the most is of a clock that was set back, or of another store.
    this.#lead = lead !== undefined && lead >= least && lead <= most ? lead : least
  }

  /**
   * The time that the store's clock has reached for certain when this process's is there, unless it is set back; the
   * earliest of all times while that is not known. A timer may run a millisecond early.
   */
  at(time: number): number {
    return this.#lead === undefined ? -8.64e15 : Math.floor(time + this.#lead - 1)
  }
}
