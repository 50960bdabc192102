import { plain } from './argument.js'
import { invoke } from './backend.js'
import type { DocumentKind } from './types.js'
import { safe } from './result.js'

/**
 * A document as a Standard Schema, which form libraries, routers and configuration readers can validate with. Source:
 * Standard Schema 1 (https://standardschema.dev); this is the part of it that applies here, without a dependency.
 *
 * @example
 * ```ts
 * import { sValidator } from '@hono/standard-validator'
 *
 * app.post('/estimate', sValidator('json', EstimateRequest), (c) => c.json(estimate(c.req.valid('json'), facts)))
 * ```
 */
export interface Schema<T> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'sendoff'
    /**
     * Returns the given value itself, or every problem of it; never a promise. Only the value's own fields count:
     * JSON text is not parsed, and `toJSON` is not called.
     */
    readonly validate: (value: unknown) => SchemaResult<T>
    /** For types only; `undefined` at run time. */
    readonly types?: { readonly input: T; readonly output: T } | undefined
  }
}

/** The result of a {@link Schema} for a value. */
export type SchemaResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/** A problem in the form of Standard Schema. */
export interface SchemaIssue {
  readonly message: string
  /** The keys to its place. A key that contains a dot becomes several keys, and a very long key is cut. */
  readonly path: readonly (string | number)[]
}

/** @internal */
export function schema<T>(kind: DocumentKind): Schema<T> {
  return { '~standard': { version: 1, vendor: 'sendoff', validate: (value) => judge<T>(kind, value) } }
}

function judge<T>(kind: DocumentKind, value: unknown): SchemaResult<T> {
  const result = safe(() => invoke('checkDocument', kind, plain(value, 'document')))()
  if (result.ok) return { value: value as T }
  return { issues: result.issues.map(({ path, message }) => ({ message, path: keys(path) })) }
}

/** The keys of a path without the first one, which is the argument's name. */
function keys(path: string): (string | number)[] {
  const [, ...keys] = path.split('.')
  return keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key))
}
