// A WebAssembly module as text in JavaScript, for build.mjs. src/inlined.ts and src/unpack.wat read it. The text has
//
// - two alphabets;
// - in the first alphabet the length of each stream (streams.mjs), four bytes each, and all streams but the last two, and `END`;
// - in the second the last two streams, which contain the data, and `END`.
//
// In an alphabet a byte is one character, or a pair if it is rare. An alphabet is the characters of all 256 bytes, in order, with a
// tilde for each pair. Pairs are used in their order.

import { STREAMS, streams } from './streams.mjs'

/** Printable ASCII up to `z`, without the characters that some kind of string literal escapes. */
const SINGLES = range(' ', 'z').filter((char) => !`"$'\\\``.includes(char))
const PAIRS = range('{', '~').flatMap((first) => range('(', '[').map((second) => first + second))
/** A pair that is no byte: there are more pairs than rare bytes. */
const END = PAIRS.at(-1)

/** Returns a module as text. */
export function packed(module) {
  const found = streams(module)
  const lengths = Buffer.alloc(4 * STREAMS.length)
  for (const [at, name] of STREAMS.entries()) lengths.writeUInt32LE(found[name].length, 4 * at)
  const bytesOf = (names) => names.flatMap((name) => found[name])
  const code = inAlphabet([...lengths, ...bytesOf(STREAMS.slice(0, -2))])
  const data = inAlphabet(bytesOf(STREAMS.slice(-2)))
  return code.alphabet + data.alphabet + code.text + END + data.text + END
}

/** Bytes in an alphabet for them. A frequent byte that is a character stays that character, because Brotli knows words. */
function inAlphabet(bytes) {
  const counts = new Array(256).fill(0)
  for (const byte of bytes) counts[byte] += 1
  const frequent = new Set([...counts.keys()].sort((a, b) => counts[b] - counts[a]).slice(0, SINGLES.length))
  const own = (char) => frequent.has(char.charCodeAt(0))
  const free = SINGLES.filter((char) => !own(char))
  const pairs = [...PAIRS]
  const codes = counts.map((_, byte) => {
    if (!frequent.has(byte)) return pairs.shift()
    const char = String.fromCharCode(byte)
    return SINGLES.includes(char) ? char : free.shift()
  })
  const alphabet = codes.map((code) => (code.length === 1 ? code : '~')).join('')
  return { alphabet, text: bytes.map((byte) => codes[byte]).join('') }
}

/** The characters from one to another. */
function range(first, last) {
  const [from, to] = [first, last].map((char) => char.charCodeAt(0))
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at))
}
