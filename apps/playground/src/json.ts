// JSON text for people, and the text for the second device.

const TOKENS = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g

/** JSON text with line breaks. Only white space changes, so that what is judged is what came. */
export function layOut(text: string): string {
  let depth = 0
  const line = (change: number) => `\n${'  '.repeat(Math.max(0, (depth += change)))}`
  return text.replace(TOKENS, (token) => {
    if (token.startsWith('"')) return token
    if (token === '{' || token === '[') return token + line(1)
    if (token === '}' || token === ']') return line(-1) + token
    if (token === ',') return token + line(0)
    if (token === ':') return ': '
    return token.replace(/\s/g, '')
  })
}

/** The texts of request and reply, as one text for the clipboard. They are texts, so that all their bytes are kept. */
interface Parcel {
  readonly request: string
  readonly reply: string
}

/** Reads a parcel; `undefined` if the text is anything else. */
export function unpacked(text: string): Parcel | undefined {
  try {
    const { request, reply } = JSON.parse(text)
    return typeof request === 'string' && typeof reply === 'string' ? { request, reply } : undefined
  } catch {
    return undefined
  }
}
