/** What a client shows, as text. */
export interface Shown {
  /** Differs where the client shows something else. */
  readonly text: string
  /** The first part that JSON leaves out, with its place; `undefined` if it leaves out nothing. */
  readonly unseen: string | undefined
}

/** The number of values after which the reading ends. */
const MOST_VALUES = 1_000_000

/** Reads what a client shows, before the client changes it: JSON with the keys in order, and with the numbers that JSON lacks. */
export function shownBy(root: unknown): Shown {
  let [values, unseen]: [number, string | undefined] = [0, undefined]
  const paths = new Map<unknown, string>()
  function part(this: unknown, key: string, value: unknown): unknown {
    if ((values += 1) > MOST_VALUES) throw `more than ${MOST_VALUES} values`
    const path = [paths.get(this), key].filter(Boolean).join('.')
    const hidden = hiddenBy(value) ?? (typeof value === 'symbol' && path === '' ? 'a symbol' : undefined)
    if (hidden !== undefined) {
      unseen ??= path === '' ? hidden : `${hidden} in \`${path}\``
      return hidden
    }
    if (typeof value === 'bigint' || typeof value === 'symbol' || (typeof value === 'number' && !Number.isFinite(value))) return String(value)
    if (typeof value !== 'object' || value === null) return value
    const shown = Array.isArray(value) ? value : sorted(value)
    paths.set(shown, path)
    return shown
  }
  try {
    return { text: JSON.stringify(root, part) ?? 'undefined', unseen }
  } catch (error) {
    // An engine describes a cycle in several lines.
    const [found = ''] = String(error).split('\n')
    return { text: found, unseen: found }
  }
}

function sorted(value: object): object {
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, (value as Record<string, unknown>)[key]]))
}

/** The name of a value of which JSON shows nothing: a function, a `Map`, a `Set`, a `Promise`, a class with private fields alone. */
function hiddenBy(value: unknown): string | undefined {
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  // The prototype of plain objects, in any realm, has none.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null || Array.isArray(value) || ArrayBuffer.isView(value)
  const isHidden = /^\[object (Map|Set)\]$/.test(Object.prototype.toString.call(value)) || (!isPlain && Object.keys(value).length === 0)
  return isHidden ? (value.constructor?.name ?? 'an object') : undefined
}
