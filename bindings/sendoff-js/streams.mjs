// A WebAssembly module as streams, for packed.mjs: its instructions without their numbers, then the numbers of each kind.
// Compression finds more where similar bytes are together.
//
// An instruction is a symbol: one byte that stands for a row of a table. The row has the first bytes of the instruction, how many
// numbers follow, and the stream that they are in. So src/unpack.wat knows no instruction: it copies these bytes, and then these
// numbers, which are as in the module (LEB128).

/**
 * The streams. Of some thousand orders tried this was among the best: gzip has one Huffman code for each block of some 16,000
 * symbols, so neighbours should be similar. `before` and `after` are the bytes around the functions. src/unpack.wat has the places
 * of the first two and of the last two.
 */
export const STREAMS = [
  ...['table', 'symbols'],
  ...['other', 'depth', 'get', 'set', 'i64', 'store', 'load', 'i32', 'call', 'locals', 'address'],
  ...['before', 'after'],
]

/** The row of the `end` of a function, for the symbol 0. The size of a function is not stored: src/unpack.wat knows it there. */
const END = '11,0,0,1'

/** Instructions by their first byte: how many bytes are in the symbol, then the stream and the count of the numbers that follow. */
const INSTRUCTIONS = new Map([
  ...rows([1, 'other', 0], 0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, ...range(0x45, 0xc4), 0xd1),
  // A block and its type; globals, tables, and the size of memory; `ref.null`.
  ...rows([2, 'other', 0], 0x02, 0x03, 0x04, ...range(0x23, 0x26), 0x3f, 0x40, 0xd0),
  ...rows([1, 'other', 2], 0x11),
  ...rows([1, 'depth', 1], 0x0c, 0x0d),
  ...rows([1, 'call', 1], 0x10, 0xd2),
  ...rows([1, 'get', 1], 0x20),
  ...rows([1, 'set', 1], 0x21, 0x22),
  // With the alignment, which is nearly always that of the type.
  ...rows([2, 'load', 1], ...range(0x28, 0x35)),
  ...rows([2, 'store', 1], ...range(0x36, 0x3e)),
  ...rows([1, 'i32', 1], 0x41),
  ...rows([1, 'i64', 1], 0x42),
])
/** The numbers below these belong to the symbol: `local.get`, `i32.const` and `call` have them so often. */
const COMMON = new Map([[0x20, 4], [0x41, 2], [0x10, 16]])
/** An `i32.const` of so many bytes is nearly always the address of data, which is behind the stack. */
const ADDRESS = 3
/** `br_table` and `select` have a count first: the stream of the numbers that are counted, and how many more follow. */
const COUNTED = new Map([[0x0e, ['depth', 1]], [0x1c, ['other', 0]]])
/** `f32.const` and `f64.const` have a constant of so many bytes, which is not LEB128. */
const FLOATS = new Map([[0x43, 4], [0x44, 8]])
/** Conversions, and operations on memories and tables: their first byte, and how many numbers follow each second byte. */
const PREFIX = 0xfc
const PREFIXED = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1]

/** Returns the streams of a module, by name. Throws if it has an instruction that is not listed above. */
export function streams(module) {
  const reader = new Reader(module)
  const functions = reader.toFunctions()
  const before = [...module.subarray(0, reader.at)]
  const symbols = new Symbols()
  for (let at = 0; at < functions; at += 1) {
    const size = reader.value()
    const end = reader.at + size
    locals(reader, symbols)
    while (reader.at < end - 1) instruction(reader, symbols)
    if (reader.byte() !== 0x0b || reader.at !== end) throw new Error(`expected a function that ends at ${end}`)
    symbols.end()
  }
  return { ...symbols.streams(), before, after: [...module.subarray(reader.at)] }
}

/** The declaration of a function's locals: groups of a count and a type. */
function locals(reader, symbols) {
  const groups = reader.number()
  symbols.add([], groups, 'locals', reader.numbers(2 * valueOf(groups)))
}

function instruction(reader, symbols) {
  const start = reader.at
  const first = reader.byte()
  if (INSTRUCTIONS.has(first)) {
    const [size, stream, count] = INSTRUCTIONS.get(first)
    const start = size === 2 ? reader.number() : []
    const numbers = reader.numbers(count)
    const [number] = numbers
    if (COMMON.has(first) && valueOf(number) < COMMON.get(first)) return symbols.add([first], number)
    return symbols.add([first], start, first === 0x41 && number.length === ADDRESS ? 'address' : stream, numbers)
  }
  if (COUNTED.has(first)) {
    const [stream, more] = COUNTED.get(first)
    const count = reader.number()
    return symbols.add([first], count, stream, reader.numbers(valueOf(count) + more))
  }
  if (FLOATS.has(first)) {
    symbols.add([first], [])
    for (let at = 0; at < FLOATS.get(first); at += 1) symbols.add([reader.byte()], [])
    return
  }
  const second = first === PREFIX ? reader.number() : []
  const count = PREFIXED[valueOf(second)]
  if (first !== PREFIX || count === undefined) {
    const bytes = [first, ...second].map((byte) => byte.toString(16).padStart(2, '0'))
    throw new Error(`unknown instruction ${bytes.join(' ')} at ${start}: streams.mjs lists those that it knows`)
  }
  symbols.add([first], second, 'other', reader.numbers(count))
}

/** Symbols, the rows that they stand for, and the streams of numbers. */
class Symbols {
  #rows = []
  #numbers = Object.fromEntries(STREAMS.slice(2, -2).map((name) => [name, []]))

  /**
   * Adds a symbol for some bytes and the first byte of a number, whose rest goes to the stream. The row has two bytes, of which the
   * instruction may use fewer; the count of numbers; and four times the index of their stream, plus how many bytes are used.
   */
  add(bytes, [byte, ...rest], stream = 'other', numbers = []) {
    const start = byte === undefined ? bytes : [...bytes, byte]
    const all = rest.length > 0 ? [rest, ...numbers] : numbers
    const [some, more] = [all.slice(0, 255), all.slice(255)]
    this.#rows.push([start[0] ?? 0, start[1] ?? 0, some.length, 4 * STREAMS.indexOf(stream) + start.length].join())
    this.#numbers[stream].push(...some.flat())
    if (more.length > 0) this.add([], [], stream, more)
  }

  /** Adds the end of a function. */
  end() {
    this.#rows.push(END)
  }

  /** The streams. Frequent symbols are small, as numbers are, so that the text has single characters for both. */
  streams() {
    const counts = new Map([[END, Infinity]])
    for (const row of this.#rows) counts.set(row, (counts.get(row) ?? 0) + 1)
    const table = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a))
    if (table.length > 256) throw new Error(`expected at most 256 symbols, found ${table.length}`)
    const symbols = new Map(table.map((row, at) => [row, at]))
    return {
      symbols: this.#rows.map((row) => symbols.get(row)),
      table: table.flatMap((row) => row.split(',').map(Number)),
      ...this.#numbers,
    }
  }
}

class Reader {
  /** Behind the name and the version of the format. */
  at = 8
  #module

  constructor(module) {
    this.#module = module
  }

  /** Goes to the first function. Returns how many there are. */
  toFunctions() {
    for (;;) {
      const section = this.byte()
      const size = this.value()
      if (section === 10) return this.value()
      this.at += size
    }
  }

  byte() {
    if (this.at >= this.#module.length) throw new Error('expected more of the module, found its end')
    return this.#module[this.at++]
  }

  /** The bytes of a number in LEB128. */
  number() {
    const bytes = [this.byte()]
    while (bytes.at(-1) > 127) bytes.push(this.byte())
    return bytes
  }

  numbers(count) {
    return Array.from({ length: count }, () => this.number())
  }

  value() {
    return valueOf(this.number())
  }
}

/** The value of a number in LEB128 without a sign. */
function valueOf(bytes) {
  return bytes.reduceRight((value, byte) => value * 128 + (byte & 127), 0)
}

function rows(row, ...bytes) {
  return bytes.map((byte) => [byte, row])
}

function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}
