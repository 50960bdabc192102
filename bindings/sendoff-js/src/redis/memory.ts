/** The largest number of scopes that are remembered. */
const MOST = 2 ** 16

/**
 * Facts about scopes, each for a limited time. If there are too many scopes, the oldest are forgotten.
 *
 * @internal
 */
export class Memory<Known extends { readonly until: number }> {
  readonly #known = new Map<string, Known>()

  get(scope: string, now: number): Known | undefined {
    const known = this.#known.get(scope)
    if (!known || now < known.until) return known
    this.#known.delete(scope)
    return undefined
  }

  set(scope: string, known: Known): void {
    // To the end of the map's order, where the newest entries are.
    this.#known.delete(scope)
    this.#known.set(scope, known)
    if (this.#known.size > MOST) this.#known.delete(this.#known.keys().next().value as string)
  }
}
