import { frozen } from './frozen.js'
import { member } from './own.js'

/** A problem at one place of an input. */
export interface Issue {
  /**
   * The path from the root of the first argument, with dots (`details.amount`, `transactions.0.to`). The path of a
   * problem in a later argument begins with that argument's name (`facts.userSWA`, `now`).
   */
  readonly path: string
  readonly code: IssueCode
  /** What was expected and what was found, with at most 64 characters of the input. */
  readonly message: string
  /** If `signable` refuses a reply: the field of the call data that differs, as in `Finding`. */
  readonly field?: string
  /** The expected value: at most 64 characters of it. */
  readonly expected?: string
  /** The value or text found in its place: at most 64 characters of it. */
  readonly found?: string
  /** The name of the expected type, such as `Address`, if the issue is about a text. */
  readonly kind?: string
  /**
   * The flaw of a text of the wrong form, if it is known: `checksum`, `length`, `odd`, `leading-zero`, `comma`, `decimals` or
   * `space`.
   */
  readonly note?: string
}

/**
 * - `syntax`: the text is not JSON
 * - `duplicate`: a key occurs twice
 * - `missing`: a required field is absent
 * - `unknown`: a field that the document does not have
 * - `type`: the JSON type is wrong, null included
 * - `format`: text that does not have the required form
 * - `range`: well formed, but outside its bounds
 * - `rule`: each field is valid, but together they break a rule
 */
export type IssueCode = 'syntax' | 'duplicate' | 'missing' | 'unknown' | 'type' | 'format' | 'range' | 'rule'

/** Shared by all copies of this package in one program: the ESM and CJS files are two copies. */
const BRAND: unique symbol = Symbol.for('sendoff.error') as never

/** The number of issues that the message of an error contains. */
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
    this.issues = frozen(issues)
  }

  /** Only its presence counts. */
  [BRAND](): void {}

  /** Returns `true` if a value is this error. Works across copies of this package, where `instanceof` does not. */
  static is(value: unknown): value is SendoffError {
    return typeof value === 'object' && value !== null && member(value as SendoffError, BRAND) !== undefined
  }
}
