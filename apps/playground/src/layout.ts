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
