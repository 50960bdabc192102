// Converts a caller's arguments to the text that the core reads. This file only checks that text is text. The core makes all
// other checks.

import { type Issue, type IssueCode, SendoffError } from './error.js'

/** The path of an argument's issues: the root for the first argument, else its name. */
type Path = string

/** A document: JSON text as it is, anything else as the JSON text of it. */
export function ofDocument(value: unknown, path: Path = ''): string {
  if (typeof value !== 'string') return ofNumber(value, path)
  if (value.length > MOST) return TOO_LONG
  return isWellFormed(value) ? value : refuse(path, 'syntax', 'expected JSON text, found a lone surrogate')
}

/** A document with parts of any shape, which would accept the stand-in for a bigint: a bigint refuses all of it. */
export function ofOpenDocument(value: unknown, path: Path = ''): string {
  return typeof value === 'string' ? ofDocument(value, path) : written(value, path, replacer(), refuseValue)
}

/** A document with a bundler's receipt. Libraries read its numbers as bigints, which count as their decimal texts. */
export function ofReceipt(value: unknown, path: Path = ''): string {
  return typeof value === 'string' ? ofDocument(value, path) : written(value, path, replacer(), withBigintsAsTexts)
}

/**
 * The most characters of an argument. The core reads much less, and the memory of WebAssembly ends at 4 GiB: longer text is not even
 * encoded. In place of a document the core gets a text that it refuses for its length.
 */
const MOST = 2 ** 24
const TOO_LONG = /* @__PURE__ */ ' '.repeat(2 ** 20 + 1)

/** JSON text only. */
export function ofJsonText(value: unknown, path: Path = ''): string {
  return typeof value === 'string' ? ofDocument(value, path) : refuse(path, 'type', `expected JSON text, found ${kind(value)}`)
}

/** A reply to judge. Its problems are findings, so a value without JSON text is passed on as empty text. */
export function ofReply(value: unknown): string {
  try {
    return ofDocument(value)
  } catch {
    return ''
  }
}

/**
 * A number as JSON text. The string `'5'` stays a string and is refused. An object's `toJSON` is called, as everywhere in
 * JavaScript.
 */
export function ofNumber(value: unknown, path: Path = ''): string {
  return written(value, path, replacer())
}

/** A value's own data, whatever its `toJSON` would return. */
export function plain(value: unknown, replacer = anything): string {
  return written(value, '', replacer)
}

/** An optional document or number; it stays absent if it is not given. */
export function optional<T>(read: (value: unknown, path: Path) => T, value: unknown, path: Path): T | undefined {
  return value === undefined ? undefined : read(value, path)
}

/** The value of a header; `null` of `Headers.get` is no value. */
export function ofHeader(value: unknown, path: Path): string | undefined {
  return value === undefined || value === null ? undefined : ofText(value, path)
}

/** A plain text. */
export function ofText(value: unknown, path: Path = ''): string {
  if (typeof value !== 'string') return refuse(path, 'type', `expected text, found ${kind(value)}`)
  if (value.length > MOST) return refuse(path, 'range', `expected text of at most ${MOST} characters, found more`)
  return isWellFormed(value) ? value : refuse(path, 'format', 'expected Unicode text, found a lone surrogate')
}

/**
 * Stands for values that JSON cannot express. No field of a document is a fraction, which `tests/schema` checks, so the core refuses
 * it at its path. A part of any shape is read by {@link ofOpenDocument}.
 */
const FOREIGN = 0.5

function written(value: unknown, path: Path, replacer?: Replacer, otherwise = withoutBigints): string {
  if (typeof value === 'bigint') return refuse(path, 'type', 'expected plain data, found a bigint')
  try {
    const text = JSON.stringify(value, replacer) ?? 'null'
    return text.length > MOST ? TOO_LONG : text
  } catch (cause) {
    return otherwise(cause, path, value, replacer)
  }
}

/** Refuses a document with bigints, for each of them and for all its other problems. */
function withoutBigints(_: unknown, path: Path, value: unknown, replacer?: Replacer): string {
  const text = changed(value, path, replacer, (own) => (typeof own === 'bigint' ? FOREIGN : own))
  standIns = [...standIns.slice(-MOST_STAND_INS), { text, path, value }]
  return text
}

/** The JSON text of a value whose parts were changed. */
function changed(value: unknown, path: Path, replacer: Replacer | undefined, change: (own: unknown, key: string) => unknown): string {
  try {
    return JSON.stringify(value, function (this: Record<string, unknown>, key, given) {
      return change(replacer ? replacer.call(this, key) : given, key)
    })
  } catch (cause) {
    return refuseValue(cause, path)
  }
}

/** The last documents with stand-ins for bigints, by their text: an argument of a call has no other connection to its issues. */
let standIns: readonly { readonly text: string; readonly path: Path; readonly value: unknown }[] = []
const MOST_STAND_INS = 3

/** The issues of a call with these arguments. Where the core read a stand-in, the message tells what it stands for. */
export function withBigints(issues: readonly Issue[], args: readonly (string | undefined)[]): readonly Issue[] {
  const given = standIns.filter(({ text }) => args.includes(text))
  standIns = []
  return given.length === 0 ? issues : issues.map((issue) => (given.some((argument) => isBigint(issue.path, argument)) ? ofBigint(issue) : issue))
}

const ofBigint = (issue: Issue): Issue => ({ ...issue, message: issue.message.replace(/found a(?: fractional)? number$/, 'found a bigint') })

/** `true` if the path leads to a bigint in an argument. */
function isBigint(path: Path, argument: { readonly path: Path; readonly value: unknown }): boolean {
  const keys = path.split('.')
  if (argument.path && keys.shift() !== argument.path) return false
  try {
    return typeof keys.reduce((part: any, key) => part[key], argument.value) === 'bigint'
  } catch {
    return false
  }
}

/** Writes bigints as decimal texts, except in a reply, which is of any shape. */
function withBigintsAsTexts(_: unknown, path: Path, value: unknown, replacer?: Replacer): string {
  const text = changed(value, path, replacer, (own, key) => {
    if (key === 'reply') JSON.stringify(own, replacer)
    return typeof own === 'bigint' ? String(own) : own
  })
  return text.length > MOST ? TOO_LONG : text
}

/** Refuses a cycle, or a getter or `toJSON` that throws. A RangeError means a depth or length that nothing could read. */
function refuseValue(cause: unknown, path: Path): never {
  const [code, why] = explained(cause)
  return refuse(path, code, `expected plain data, found a value that JSON cannot express: ${why}`, { cause })
}

type Replacer = typeof itself

/** A field's own value: not the result of its `toJSON`, and not a prototype's value. */
function itself(this: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(this, key) ? this[key] : undefined
}

/** The same, with a stand-in for values that JSON would omit. No field of a document may have such a value. */
export function anything(this: Record<string, unknown>, key: string): unknown {
  const value = itself.call(this, key)
  return typeof value === 'function' || typeof value === 'symbol' ? FOREIGN : value
}

/** Ignores `toJSON` on polluted prototypes. */
function replacer(): Replacer | undefined {
  for (const _ in []) return itself
  return 'toJSON' in [] ? itself : undefined
}

export function refuse(path: Path, code: IssueCode, message: string, options?: ErrorOptions): never {
  throw new SendoffError([{ path, code, message }], options)
}

/** The kind of a value, in the core's words. */
export function kind(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  try {
    return Array.isArray(value) ? 'an array' : 'an object'
  } catch {
    return 'a revoked proxy'
  }
}

/** UTF-8 cannot hold a lone surrogate. It would silently become U+FFFD, and the spelling would be lost. */
function isWellFormed(value: string): boolean {
  // Node 18 and browsers before 2023 have no isWellFormed.
  return value.isWellFormed?.() ?? !/\p{Surrogate}/u.test(value)
}

/** The code of an exception, and the start of its message: an engine describes a cycle in several lines. */
function explained(thrown: unknown): [IssueCode, string] {
  try {
    const code = thrown instanceof RangeError ? 'range' : 'type'
    const [line] = String(thrown instanceof Error ? thrown.message : thrown).split('\n')
    return [code, line!.slice(0, 64)]
  } catch {
    return ['type', 'it throws what is no text']
  }
}
