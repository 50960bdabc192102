// A WebAssembly module as text in JavaScript, for build.mjs; src/inlined.ts reads it.

/** Printable ASCII that a string literal in some quotes does not hold as it is. */
export const ESCAPED = `"$'\\\``

/**
 * The other printable characters of ASCII. A byte is one of them, or two if it is rare: then the first is a space or an
 * exclamation mark.
 */
const CHARACTERS = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).filter((char) => !ESCAPED.includes(char))
const SINGLES = CHARACTERS.slice(2)
const PAIRS = CHARACTERS.slice(0, 2).flatMap((first) => CHARACTERS.map((second) => first + second))

/** The bytes as text: first all 256 values of a byte as hex, in the order of `SINGLES` and `PAIRS`, then the bytes. */
export function packed(bytes) {
  const counts = new Array(256).fill(0)
  for (const byte of bytes) counts[byte] += 1
  const byCount = [...counts.keys()].sort((a, b) => counts[b] - counts[a])
  const ascending = (values) => values.sort((a, b) => a - b)
  const values = [...ascending(byCount.slice(0, SINGLES.length)), ...ascending(byCount.slice(SINGLES.length))]
  const codes = new Map(values.map((value, at) => [value, [...SINGLES, ...PAIRS][at]]))
  return Buffer.from(values).toString('hex') + Array.from(bytes, (byte) => codes.get(byte)).join('')
}
