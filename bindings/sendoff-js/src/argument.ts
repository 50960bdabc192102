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

/** A document with a bundler's receipt. Libraries read its numbers as bigints, which count as their decimal texts. */
export function ofReceipt(value: unknown, path: Path): string {
  if (typeof value === 'string') return ofDocument(value, path)
  const read = replacer() ?? given
  return written(value, path, function (key, value) {
    const own = read.call(this, key, value)
    return typeof own === 'bigint' ? String(own) : own
  })
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
export function plain(value: unknown, replacer: Replacer = anything): string {
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

function written(value: unknown, path: Path, replacer?: Replacer): string {
  try {
    const text = JSON.stringify(value, replacer) ?? 'null'
    return text.length > MOST ? TOO_LONG : text
  } catch (cause) {
    const issues = bigintsIn(value, path, replacer)
    if (issues.length > 0) throw new SendoffError(issues)
    // It is a cycle, or a getter or `toJSON` that throws. A RangeError means a depth or length that nothing could read.
    const [code, why] = explained(cause)
    return refuse(path, code, `expected plain data, found a value that JSON cannot express: ${why}`, { cause })
  }
}

const A_BIGINT = 'expected plain data, found a bigint'
/** As many as an answer of the core has. */
const MOST_ISSUES = 1_000

/** An issue for each bigint in a value; none if JSON cannot express the value for another reason too. */
function bigintsIn(value: unknown, root: Path, read: Replacer = given): Issue[] {
  const issues: Issue[] = []
  const paths = new Map<unknown, Path>()
  try {
    JSON.stringify(value, function (this: Record<string, unknown>, key, given) {
      const own = read.call(this, key, given)
      const path = [paths.get(this) ?? root, key].filter(Boolean).join('.')
      if (typeof own === 'bigint') return void (issues.length < MOST_ISSUES && issues.push({ path, code: 'type', message: A_BIGINT }))
      paths.set(own, path)
      return own
    })
    return issues
  } catch {
    return []
  }
}

type Replacer = (this: Record<string, unknown>, key: string, given: unknown) => unknown

const given: Replacer = (_, given) => given

/** A field's own value: not the result of its `toJSON`, and not a prototype's value. */
export function itself(this: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(this, key) ? this[key] : undefined
}

/**
 * The same, with a stand-in for values that JSON cannot express or would omit. No field of a document is a fraction, which
 * `tests/schema` checks, so the core refuses it at its path.
 */
export function anything(this: Record<string, unknown>, key: string): unknown {
  const value = itself.call(this, key)
  return ['function', 'symbol', 'bigint'].includes(typeof value) ? 0.5 : value
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
