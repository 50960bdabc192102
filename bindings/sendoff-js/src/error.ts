/** What is wrong with one place of an input. */
export interface Issue {
  /**
   * Where, dotted from the root of the first argument (`details.amount`, `transactions.0.to`); a problem of a later
   * argument begins with that argument's name (`facts.userSWA`, `now`).
   */
  readonly path: string
  readonly code: IssueCode
  /** What was expected and what was found, with at most 64 characters of the input. */
  readonly message: string
  /** Of a reply that `signable` refuses: the field of the call data that differs, as in `Finding`. */
  readonly field?: string
  /** What was expected there: at most 64 characters of it. */
  readonly expected?: string
  /** What was found in its place, likewise. */
  readonly found?: string
}

/**
 * - `syntax`: not JSON at all
 * - `duplicate`: a key stands twice
 * - `missing`: a required field is absent
 * - `unknown`: a field that the document does not have
 * - `type`: the JSON type is wrong, null included
 * - `format`: text that is not of its kind
 * - `range`: well formed, but outside its bounds
 * - `rule`: each field is fine, together they are not
 */
export type IssueCode = 'syntax' | 'duplicate' | 'missing' | 'unknown' | 'type' | 'format' | 'range' | 'rule'

/** Shared by every copy of this package that one program holds: its ESM and CJS files are two. */
const BRAND: unique symbol = Symbol.for('sendoff.error') as never

/** How many issues the message of an error spells out. */
const SHOWN = 3

/**
 * An input that cannot be read, with every problem of it.
 *
 * @example
 * ```ts
 * try {
 *   estimate(body, facts)
 * } catch (error) {
 *   if (!SendoffError.is(error)) throw error
 *   for (const { path, message } of error.issues) console.log(`${path}: ${message}`)
 * }
 * ```
 */
export class SendoffError extends Error {
  override readonly name = 'SendoffError'
  /** Every problem of the input, at least one. */
  readonly issues: readonly Issue[]

  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    const lines = issues.slice(0, SHOWN).map(({ path, message }) => (path ? `${path}: ${message}` : message))
    if (issues.length > SHOWN) lines.push(`and ${issues.length - SHOWN} more`)
    super(lines.join('; '), options)
    this.issues = issues
  }

  get [BRAND](): true {
    return true
  }

  /** Whether a value is this error. It holds across copies of this package, where `instanceof` does not. */
  static is(value: unknown): value is SendoffError {
    return typeof value === 'object' && value !== null && BRAND in value
  }
}
