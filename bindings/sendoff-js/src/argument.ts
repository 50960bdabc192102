// What a caller passes, as the text that the core reads. The core judges everything but this: that there is text.

import { type IssueCode, SendoffError } from './error.js'

/** Where the issues of an argument are: at the root for the first one, else under its name. */
type Path = string

/** A document: JSON text as it is, anything else as the JSON text of it. */
export function ofDocument(value: unknown, path: Path = ''): string {
  if (typeof value !== 'string') return ofNumber(value, path)
  return isWellFormed(value) ? value : refuse(path, 'syntax', 'expected JSON text, found a lone surrogate')
}

/** JSON text and nothing else. */
export function ofJsonText(value: unknown, path: Path = ''): string {
  return typeof value === 'string' ? ofDocument(value, path) : refuse(path, 'type', `expected JSON text, found ${kind(value)}`)
}

/** A reply that is to be judged: nothing of it is a failure, so what has no JSON text is passed on as none. */
export function ofReply(value: unknown): string {
  try {
    return ofDocument(value)
  } catch {
    return ''
  }
}

/**
 * A number: JSON text of it, so that the text `5` stays a text and is refused. An object's `toJSON` speaks for it, as
 * everywhere in JavaScript.
 */
export function ofNumber(value: unknown, path: Path): string {
  return written(value, path, isPolluted() ? itself : undefined)
}

/** All that stands in a value itself, whatever a `toJSON` would say in its place. */
export function plain(value: unknown, path: Path, replacer = anything): string {
  return written(value, path, replacer)
}

/** An optional document or number: what is not given stays away. */
export function optional<T>(read: (value: unknown, path: Path) => T, value: unknown, path: Path): T | undefined {
  return value === undefined ? undefined : read(value, path)
}

/** A plain text. */
export function ofText(value: unknown, path: Path = ''): string {
  if (typeof value !== 'string') return refuse(path, 'type', `expected text, found ${kind(value)}`)
  return isWellFormed(value) ? value : refuse(path, 'format', 'expected Unicode text, found a lone surrogate')
}

/** Stands for what JSON has no word for. No field of a document is a fraction, so the core refuses it in its place. */
const FOREIGN = 0.5

function written(value: unknown, path: Path, replacer?: Replacer): string {
  if (typeof value === 'bigint') return refuse(path, 'type', 'expected plain data, found a bigint')
  try {
    return JSON.stringify(value, replacer) ?? 'null'
  } catch {
    return withoutBigints(value, path, replacer)
  }
}

/** A document with bigints is refused for each of them, and for all else that is wrong with it. */
function withoutBigints(value: unknown, path: Path, replacer?: Replacer): string {
  try {
    return JSON.stringify(value, function (this: Record<string, unknown>, key, given) {
      const own = replacer ? replacer.call(this, key) : given
      return typeof own === 'bigint' ? FOREIGN : own
    })
  } catch (cause) {
    // A cycle, a getter or `toJSON` that throws; a RangeError is depth or length that nothing could read.
    const [code, why] = explained(cause)
    return refuse(path, code, `expected plain data, found what JSON cannot say: ${why}`, { cause })
  }
}

type Replacer = typeof itself

/** A field's own value: neither what a `toJSON` made of it, nor what a prototype has where there is none. */
function itself(this: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(this, key) ? this[key] : undefined
}

/** The same, and what JSON leaves out although it is there. */
export function anything(this: Record<string, unknown>, key: string): unknown {
  const value = itself.call(this, key)
  return typeof value === 'function' || typeof value === 'symbol' ? FOREIGN : value
}

/** Who writes on the prototype of every object or array does not get to speak for documents. */
function isPolluted(): boolean {
  for (const _ in []) return true
  return 'toJSON' in []
}

export function refuse(path: Path, code: IssueCode, message: string, options?: ErrorOptions): never {
  throw new SendoffError([{ path, code, message }], options)
}

/** A value's kind, in the words of the core. */
export function kind(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  try {
    return Array.isArray(value) ? 'an array' : 'an object'
  } catch {
    return 'a revoked proxy'
  }
}

/** On the way to UTF-8 a lone surrogate would silently become U+FFFD, and a spelling would be lost. */
function isWellFormed(value: string): boolean {
  // Node 18 and browsers before 2023 have no isWellFormed.
  return value.isWellFormed?.() ?? !/\p{Surrogate}/u.test(value)
}

/** The code for what was thrown, and the beginning of its message: an engine draws a cycle over several lines. */
function explained(thrown: unknown): [IssueCode, string] {
  try {
    const code = thrown instanceof RangeError ? 'range' : 'type'
    const [line = ''] = String(thrown instanceof Error ? thrown.message : thrown).split('\n')
    return [code, line.slice(0, 64)]
  } catch {
    return ['type', 'it throws what is no text']
  }
}
