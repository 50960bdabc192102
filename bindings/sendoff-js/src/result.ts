import { type Issue, SendoffError } from './error.js'

/**
 * The answer of a function, or every problem of its arguments. The `safe` twin of a throwing function returns it.
 *
 * @example
 * ```ts
 * const result: Result<EstimateReply> = safeEstimate(body, facts)
 * if (result.ok) return Response.json(result.value)
 * return Response.json(result.issues, { status: 400 })
 * ```
 */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/**
 * Returns the twin of a function: it returns the issues that the function throws. All other exceptions are not about the
 * input, and are thrown by the twin as well.
 *
 * @internal
 */
export function safe<Arguments extends unknown[], Value>(
  call: (...args: Arguments) => Value,
): (...args: Arguments) => Result<Value> {
  return (...args) => {
    try {
      return Object.freeze({ ok: true, value: call(...args) })
    } catch (error) {
      if (SendoffError.is(error)) return Object.freeze({ ok: false, issues: error.issues })
      throw error
    }
  }
}
