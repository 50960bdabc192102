// Forms in which people write amounts in tokens. The amount is converted when the form is submitted, with the token that is chosen
// then: a field that converts what is typed keeps the units of the token that was chosen before.

import { own } from './own.js'
import { schemaIssue, type Schema, type SchemaIssue, type SchemaResult } from './schema.js'
import { safeUnitsOf } from './functions.js'
import type { TokenTransferRequest } from './types.js'

/**
 * A schema for a form with an amount in tokens, such as `0.5`. Its value is the request: the amount is in the smallest unit of the
 * token, and no text has spaces around it. A comma is refused, because it separates thousands for some people.
 *
 * `decimals` returns the decimals of the chosen token; `undefined` for a token that the page does not know, which is an issue.
 *
 * @example
 * ```ts
 * const form = useForm({ resolver: standardSchemaResolver(inWords(inTokens(TokenTransferRequest, decimalsOf))) })
 * ```
 */
export function inTokens<T extends TokenTransferRequest>(
  schema: Schema<T>,
  decimals: (details: T['details']) => number | undefined,
): Schema<T> {
  const { validate, ...about } = schema['~standard']
  return {
    '~standard': {
      ...about,
      jsonSchema: { ...about.jsonSchema, input: () => { throw new TypeError('expected `output`: an amount in tokens has no JSON Schema') } },
      validate: (typed) => {
        const form = trimmed(typed) as T
        const { details } = own((form ?? {}) as Partial<T>)
        const { amount } = own((details ?? {}) as Partial<T['details']>)
        // Everything else is a problem for the schema.
        if (typeof amount !== 'string') return validate(form)

        const { units, issues } = converted(amount, details as T['details'], decimals)
        const request = { ...form, details: { ...details, amount: units } } as T
        const result = own(validate(request))
        const all = [...issues, ...(result.issues ?? [])]
        return all.length > 0 ? { issues: all } : (result as SchemaResult<T>)
      },
    },
  }
}

/** The amount in units; with a problem, an amount that the schema accepts, so that there is one issue. */
function converted<Details extends TokenTransferRequest['details']>(
  amount: string,
  details: Details,
  decimalsOf: (details: Details) => number | undefined,
): { units: string; issues: readonly SchemaIssue[] } {
  const decimals = decimalsOf(details)
  if (decimals === undefined) return { units: '1', issues: unknown(own(details).tokenAddress) }
  const result = safeUnitsOf(amount, decimals)
  if (result.ok) return { units: result.value, issues: [] }
  return { units: '1', issues: result.issues.map((issue) => schemaIssue({ ...issue, path: 'document.details.amount' })) }
}

/** The issue of a token that the page does not know. A text that is no address is an issue of the schema. */
function unknown(token: unknown): readonly SchemaIssue[] {
  if (typeof token !== 'string' || !/^(?:0x[0-9a-fA-F]{40})?$/.test(token)) return []
  const found = token === '' ? "the chain's own coin" : `the token \`${token}\``
  const message = `expected a token whose decimals are known, found ${found}`
  return [schemaIssue({ code: 'rule', message, path: 'document.details.tokenAddress', found: token })]
}

/** A copy whose texts have no spaces around them: pasted addresses often do. */
function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(trimmed)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, trimmed(part)]))
}
