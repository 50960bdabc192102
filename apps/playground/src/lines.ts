// The lines of JSON text: where a path is, and where the text is no JSON.

const TOKEN = /\s*("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:])/y

/** The line of each path, counted from 1, and the line in which the text stops to be JSON. */
export interface Lines {
  readonly of: ReadonlyMap<string, number>
  readonly fault?: number
}

/** Reads the lines of a text. */
export function linesOf(text: string): Lines {
  const of = new Map<string, number>()
  let at = 0
  const line = (end: number) => text.slice(0, end).split('\n').length
  const next = () => {
    TOKEN.lastIndex = at
    const [, token] = TOKEN.exec(text) ?? []
    if (token === undefined) throw new RangeError()
    at = TOKEN.lastIndex
    return token
  }
  const expect = (...tokens: string[]) => {
    const before = at
    const token = next()
    if (tokens.includes(token)) return token
    at = before
    throw new RangeError()
  }
  const list = (close: string, item: (index: number) => void) => {
    const before = at
    if (next() === close) return
    at = before
    for (let index = 0; ; index += 1) {
      item(index)
      if (expect(',', close) === close) return
    }
  }
  const value = (path: string) => {
    const before = at
    const token = next()
    of.set(path, of.get(path) ?? line(at))
    const inner = (key: string | number) => (path === '' ? `${key}` : `${path}.${key}`)
    if (token === '{') {
      list('}', () => {
        const key = next()
        if (!key.startsWith('"')) throw new RangeError()
        const own = inner(JSON.parse(key))
        of.set(own, line(at))
        expect(':')
        value(own)
      })
    } else if (token === '[') list(']', (index) => value(inner(index)))
    else if (',:]}'.includes(token)) {
      at = before
      throw new RangeError()
    }
  }
  try {
    value('')
    if (text.slice(at).trim() !== '') throw new RangeError()
    return { of }
  } catch {
    // The next visible character is where the text is no JSON any more.
    const [space = ''] = /^\s*/.exec(text.slice(at)) ?? []
    return { of, fault: line(Math.min(text.length, at + space.length + 1)) }
  }
}
