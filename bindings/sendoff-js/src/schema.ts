import { anything, itself, kind as nameOf, plain } from './argument.js'
import { invoke } from './backend.js'
import type { Issue, IssueCode } from './error.js'
import type { JsonSchema } from './kinds.js'
import { isRecord, own } from './own.js'
import type { DocumentKind, IntentType } from './types.js'
import { safe } from './result.js'

/**
 * A document as a Standard Schema, which form libraries, routers and configuration readers can validate with, and as a Standard JSON
 * Schema, from which others write descriptions, forms and tools. Source: Standard Schema 1 (https://standardschema.dev); this is the
 * part of it that applies here, without a dependency.
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
     * JSON text is not parsed, and `toJSON` is not called. An optional field that a form left blank, `''` or `null`, is absent: then
     * the value is a copy without it.
     */
    readonly validate: (value: unknown) => SchemaResult<T>
    /**
     * The JSON Schema of the document, whole: without references. It says less than `validate`, because no schema can express some
     * rules between fields.
     */
    readonly jsonSchema: {
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>
    }
    /** For types only; `undefined` at run time. */
    readonly types?: { readonly input: T; readonly output: T } | undefined
  }
}

/** The version of JSON Schema: `draft-2020-12` or `draft-07`. Another one is a `TypeError`. */
export interface JsonSchemaOptions {
  readonly target: 'draft-2020-12' | 'draft-07' | (string & {})
}

/** The result of a {@link Schema} for a value. */
export type SchemaResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/** A problem in the form of Standard Schema, with the fields of the core's issue. */
export interface SchemaIssue extends Omit<Issue, 'path' | 'code'> {
  /** The keys to its place. A key that contains a dot becomes several keys, and a very long key is cut. */
  readonly path: readonly (string | number)[]
  /**
   * The code of the core's issue; `empty` for an empty text where one is needed. Only schemas know that code: an empty
   * field is the normal state of a form, while in a document it is a text of the wrong form, as the boundary says.
   */
  readonly code: IssueCode | 'empty'
}

/** The text of a value, and the problems that the core does not find. */
type Read = (value: unknown, issues: SchemaIssue[]) => string

/** @internal */
export function schema<T>(kind: DocumentKind, json: JsonSchema, read: Read = (value) => plain(value)): Schema<T> {
  const problems = (value: unknown): readonly SchemaIssue[] => {
    const issues: SchemaIssue[] = []
    const result = safe(() => invoke('checkDocument', kind, read(value, issues)))()
    return result.ok ? issues : [...issues, ...result.issues.map(schemaIssue)]
  }
  const validate = (value: unknown): SchemaResult<T> => {
    const issues = problems(value)
    const blank = issues.filter(({ path }) => isBlank(value, path))
    if (blank.length > 0) {
      // A field that is missed now is required.
      const without = blank.reduce((rest, { path }) => omit(rest, path), value)
      const missed = new Set(problems(without).filter(({ code }) => code === 'missing').map(({ path }) => path.join('.')))
      const left = blank.filter(({ path }) => !missed.has(path.join('.')))
      if (left.length > 0) return validate(left.reduce((rest, { path }) => omit(rest, path), value))
    }
    return issues.length > 0 ? { issues } : { value: value as T }
  }
  const inTarget = ({ target }: JsonSchemaOptions) => jsonSchema(json, target)
  return { '~standard': { version: 1, vendor: 'sendoff', validate, jsonSchema: { input: inTarget, output: inTarget } } }
}

/** What a schema of each version begins with. */
const TARGETS: { readonly [target: string]: string } = {
  'draft-2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
}

function jsonSchema(json: JsonSchema, target: string): Record<string, unknown> {
  const $schema = own(TARGETS)[target]
  if (!$schema) throw new TypeError(`expected the target \`${Object.keys(TARGETS).join('`, `')}\`, found \`${target}\``)
  return { $schema, ...(written(json, target) as Record<string, unknown>) }
}

/** A schema in the words of a version, with what it refers to in the place of references. */
function written(schema: unknown, target: string): unknown {
  if (Array.isArray(schema)) return schema.map((part) => written(part, target))
  if (!isRecord(schema)) return schema

  const { $ref, ...rest } = schema
  if ($ref) return { ...(written($ref, target) as object), ...rest }
  const named = (key: string) => (key === 'dependentRequired' && target === 'draft-07' ? 'dependencies' : key)
  return Object.fromEntries(Object.entries(rest).map(([key, part]) => [named(key), written(part, target)]))
}

/** `true` if a field of the value, which is not in a list, is an empty text or `null`. */
function isBlank(value: unknown, [key, ...rest]: SchemaIssue['path']): boolean {
  if (key === undefined || !isRecord(value)) return false
  const field = own(value)[key]
  return rest.length > 0 ? isBlank(field, rest) : field === '' || field === null
}

/** A copy without the field at this place. */
function omit(value: unknown, [key = '', ...rest]: SchemaIssue['path']): unknown {
  const { [key]: field, ...others } = value as Record<string, unknown>
  return rest.length > 0 ? { ...others, [key]: omit(field, rest) } : others
}

/**
 * The schema of a request of one type. The details are checked for this type, even if the value has another type, which is one
 * more issue.
 *
 * @internal
 */
export function requestSchema<T>(type: IntentType, json: JsonSchema): Schema<T> {
  return schema('EstimateRequest', json, (value, issues) => {
    let found: unknown
    const text = plain(value, function (key) {
      if (this !== value || key !== 'type') return anything.call(this, key)
      found = itself.call(this, key)
      return undefined
    })
    if (!text.startsWith('{')) return text
    if (found !== type) issues.push(mistyped(type, found))
    return `{"type":"${type}"${text === '{}' ? '' : ','}${text.slice(1)}`
  })
}

function mistyped(type: IntentType, found: unknown): SchemaIssue {
  const issue = (code: IssueCode, what: string, more = {}) =>
    schemaIssue({ code, message: `expected \`${type}\`, found ${what}`, path: 'document.type', expected: type, ...more })
  if (found === undefined) return issue('missing', 'nothing')
  if (typeof found !== 'string') return issue('type', nameOf(found))
  return /^\w{0,64}$/.test(found) ? issue('format', `\`${found}\``, { found }) : issue('format', 'another text')
}

/** @internal */
export function schemaIssue(issue: Issue): SchemaIssue {
  const isEmpty = issue.code === 'format' && own(issue).found === ''
  return { ...issue, path: keys(issue.path), code: isEmpty ? 'empty' : issue.code }
}

/** The keys of a path without the first one, which is the argument's name. */
function keys(path: string): (string | number)[] {
  const [, ...keys] = path.split('.')
  return keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key))
}
