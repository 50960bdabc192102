// Keccak-f[1600] for engines without WebAssembly, written as JavaScript. build.mjs puts it in the place of the core's function
// (crates/sendoff/src/keccak), which binaryen translates to code that takes twice as long.
//
// A lane is two halves of 32 bits: its even bits and its odd bits. So a turn of a lane is a turn of each half, and no bit moves
// between the halves (bit interleaving, of the Keccak team's "Keccak implementation overview", 2.1). A round reads one part of an array
// and writes another. With the 50 halves in variables instead, V8 orders the steps so that it stores and loads each of them, and takes
// twice as long.

/** The lanes of each row after ρ and π: from where, and turned by how many places. */
const ROWS = [
  [[0, 0], [6, 44], [12, 43], [18, 21], [24, 14]],
  [[3, 28], [9, 20], [10, 3], [16, 45], [22, 61]],
  [[1, 1], [7, 6], [13, 25], [19, 8], [20, 18]],
  [[4, 27], [5, 36], [11, 10], [17, 15], [23, 56]],
  [[2, 62], [8, 55], [14, 39], [15, 41], [21, 2]],
]

/** The constants of the rounds. */
const ROUNDS = [0x1n, 0x8082n, 0x800000000000808an, 0x8000000080008000n, 0x808bn, 0x80000001n, 0x8000000080008081n,
  0x8000000000008009n, 0x8an, 0x88n, 0x80008009n, 0x8000000an, 0x8000808bn, 0x800000000000008bn, 0x8000000000008089n,
  0x8000000000008003n, 0x8000000000008002n, 0x8000000000000080n, 0x800an, 0x800000008000000an, 0x8000000080008081n,
  0x8000000000008080n, 0x80000001n, 0x8000000080008008n]

const FIVE = [0, 1, 2, 3, 4]
const HALVES = [0, 1]

/**
 * Two functions of the core's state, which is 50 halves here: `NAME.absorb(words, bytes, state, block)` and
 * `NAME.digest(words, bytes, state, digest)`. The last arguments are addresses in the memory.
 */
export function state(name) {
  // The arrays are arguments, so that engines know them as constants. `A` has the state of a round, and that of the next.
  return `const ${name} = ((A, R) => {
    const exchanged = (x, mask, by) => (mask &= x ^ x >>> by, x ^ mask ^ mask << by)
    const apart = (x) => exchanged(exchanged(exchanged(exchanged(x, 0x22222222, 1), 0x0c0c0c0c, 2), 0x00f000f0, 4), 0xff00, 8)
    const together = (x) => exchanged(exchanged(exchanged(exchanged(x, 0xff00, 8), 0x00f000f0, 4), 0x0c0c0c0c, 2), 0x22222222, 1)
    const absorb = (words, bytes, state, block) => {
      const word = (at) => apart(bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24)
      state >>= 2
      for (let i = 0; i < 50; i++) A[i] = words[state + i]
      for (let i = 0; i < 34; i += 2, block += 8) {
        const low = word(block), high = word(block + 4)
        A[i] ^= low & 0xffff | high << 16
        A[i + 1] ^= low >>> 16 | high & 0xffff0000
      }
      let t, ${columns((x, half) => `c${x}${half} = ${FIVE.map((y) => `A[${word(5 * y + x, half)}]`).join(' ^ ')}`)}
      for (let i = 0; i < 48;) {
        ${round(0, 50)}
        ${round(50, 0)}
      }
      for (let i = 0; i < 50; i++) words[state + i] = A[i]
    }
    const digest = (words, bytes, state, to) => {
      const put = (word) => { for (let i = 0; i < 4; i++) bytes[to++] = word >>> 8 * i }
      state >>= 2
      for (let i = 0; i < 8; i += 2) {
        const even = words[state + i], odd = words[state + i + 1]
        put(together(even & 0xffff | odd << 16))
        put(together(even >>> 16 | odd & 0xffff0000))
      }
    }
    return { absorb, digest }
  })(new Int32Array(100), Int32Array.of(${ROUNDS.flatMap((constant) => HALVES.map((half) => bits(constant, half)))}))\n`
}

/** A round from one place of the array to another. `c` are the parities of the columns: those of the next round in the end. */
function round(from, to) {
  // θ: each column takes in the parity of two others.
  const theta = columns((x, half) => `d${x}${half} = c${(x + 4) % 5}${half} ^ ${turned(`c${(x + 1) % 5}`, 1, half)}`)
  // ρ and π: lanes turn, and go to another place; χ: each takes in the two behind it in its row; ι: the constant of the round.
  const row = (lanes, y, half) => {
    const taken = lanes.map(([at, by], x) => `b${x} = ${turned((half) => `A[${from + word(at, half)}] ^ d${at % 5}${half}`, by, half)}`)
    const chi = FIVE.map((x) => {
      const value = `b${x} ^ ~b${(x + 1) % 5} & b${(x + 2) % 5}${x + y === 0 ? ' ^ R[i++]' : ''}`
      return `c${x}${half} ${y === 0 ? '=' : '^='} A[${to + word(5 * y + x, half)}] = ${value}`
    })
    return `${taken.join('\n')}\n${chi.join('\n')}`
  }
  const rows = ROWS.flatMap((lanes, y) => HALVES.map((half) => row(lanes, y, half)))
  return `{ const ${theta}\nlet b0, b1, b2, b3, b4\n${rows.join('\n')} }`
}

/** Half of a lane that is turned to the left. By an odd number of places the even bits become odd. */
function turned(lane, by, half) {
  const of = typeof lane === 'string' ? (half) => `${lane}${half}` : lane
  const from = by % 2 === 0 ? half : 1 - half
  const places = by % 2 === 0 ? by / 2 : (by + 1) / 2 - half
  return places === 0 ? of(from) : `((t = ${of(from)}) << ${places} | t >>> ${32 - places})`
}

function columns(declared) {
  return FIVE.flatMap((x) => HALVES.map((half) => declared(x, half))).join(', ')
}

function word(lane, half) {
  return 2 * lane + half
}

/** The even or the odd bits of a lane. */
function bits(lane, half) {
  const taken = Array.from({ length: 32 }, (_, at) => Number((lane >> BigInt(2 * at + half)) & 1n) << at)
  return taken.reduce((all, bit) => all | bit, 0)
}
