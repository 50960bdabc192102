/** What a client shows, as text. */
export interface Shown {
  /** Differs where the client shows something else. */
  readonly text: string
  /** The first part that JSON leaves out, with its place; `undefined` if it leaves out nothing. */
  readonly unseen: string | undefined
}

/** The number of values after which the reading ends. */
const MOST_VALUES = 1_000_000

/** Reads what a client shows, before the client changes it: JSON with the keys in order, and all numbers as texts. */
export function shownBy(root: unknown): Shown {
  let [values, unseen]: [number, string | undefined] = [0, undefined]
  const around: object[] = []
  const path: string[] = []

  const nothing = (found: string): string => {
    unseen ??= path.length > 0 ? `${found} in \`${path.join('.')}\`` : found
    return found
  }
  const part = (key: string, value: unknown): string => {
    path.push(key)
    const text = read(value)
    path.pop()
    return text
  }
  const read = (given: unknown): string => {
    if ((values += 1) > MOST_VALUES) throw `more than ${MOST_VALUES} values`
    const value = asJson(given, path.at(-1) ?? '')
    if (typeof value === 'function') return nothing('a function')
    // In a part it is compared by its name.
    if (typeof value === 'symbol' && path.length === 0) return nothing('a symbol')
    if (typeof value === 'string' || typeof value === 'bigint') return JSON.stringify(String(value))
    if (typeof value !== 'object' || value === null) return String(value)
    if (around.includes(value)) return nothing('a cycle')

    const keys = Object.keys(value)
    if (isHidden(value, keys)) return nothing(value.constructor?.name ?? 'an object')
    around.push(value)
    const parts = Array.isArray(value)
      ? value.map((item, at) => part(String(at), item))
      : keys.sort().flatMap((key) => {
          const text = part(key, (value as Record<string, unknown>)[key])
          return text === 'undefined' ? [] : `${JSON.stringify(key)}:${text}`
        })
    around.pop()
    return Array.isArray(value) ? `[${parts}]` : `{${parts}}`
  }
  try {
    return { text: read(root), unseen }
  } catch (error) {
    const found = String(error)
    return { text: found, unseen: found }
  }
}

function asJson(value: unknown, key: string): unknown {
  const { toJSON }: { toJSON?: unknown } = Object(value)
  return typeof toJSON === 'function' ? toJSON.call(value, key) : value
}

/** `true` if an object has parts of which JSON shows nothing: those of a `Map`, a `Set`, a `Promise`, a class with private fields alone. */
function isHidden(value: object, keys: readonly string[]): boolean {
  if (/^\[object (Map|Set)\]$/.test(Object.prototype.toString.call(value))) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  // The prototype of plain objects, in any realm, has none.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
  return keys.length === 0 && !isPlain && !Array.isArray(value) && !ArrayBuffer.isView(value)
}
