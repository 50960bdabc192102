import { type Issue, SendoffError } from './error.js'

/**
 * What a function answers, or every problem of its arguments: what the `safe` twin of a throwing function returns.
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
 * An answer that cannot be changed, nor its operation: what is sent is what was hashed.
 *
 * @internal
 */
export function frozen<Answer extends { readonly operation: object }>(answer: Answer): Answer {
  Object.freeze(answer.operation)
  return Object.freeze(answer)
}

/**
 * The twin of a function: it returns the issues that the function throws. Whatever else is thrown is no matter of the
 * input, and still is.
 *
 * @internal
 */
export function safe<Arguments extends unknown[], Value>(
  call: (...args: Arguments) => Value,
): (...args: Arguments) => Result<Value> {
  return (...args) => {
    try {
      return { ok: true, value: call(...args) }
    } catch (error) {
      if (SendoffError.is(error)) return { ok: false, issues: error.issues }
      throw error
    }
  }
}
