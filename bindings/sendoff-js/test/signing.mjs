// ECDSA on secp256k1 for tests: the signature of a digest by a test key. Its nonce is the digest, so it is for test keys alone.

const P = 2n ** 256n - 2n ** 32n - 977n
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const G = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
]

const modulo = (number, m) => ((number % m) + m) % m

function inverse(number, m) {
  let [a, b, x, y] = [modulo(number, m), m, 1n, 0n]
  while (a !== 0n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x]
  return modulo(y, m)
}

function add(one, other) {
  if (!one || !other) return one ?? other
  const [[x1, y1], [x2, y2]] = [one, other]
  if (x1 === x2 && y1 !== y2) return undefined
  const slope = x1 === x2 ? 3n * x1 * x1 * inverse(2n * y1, P) : (y2 - y1) * inverse(x2 - x1, P)
  const x = modulo(slope * slope - x1 - x2, P)
  return [x, modulo(slope * (x1 - x) - y1, P)]
}

function times(number, point) {
  let sum
  for (let rest = number, power = point; rest > 0n; rest >>= 1n, power = add(power, power)) if (rest & 1n) sum = add(sum, power)
  return sum
}

/** The 65 bytes r, s, v of a digest in hex by a key in hex. */
export function sign(digest, key) {
  const [z, d] = [digest, key].map(BigInt)
  const k = modulo(z * 7n + d, N)
  const [x, y] = times(k, G)
  const r = modulo(x, N)
  const s = modulo(inverse(k, N) * (z + r * d), N)
  const isHigh = s > N / 2n
  const v = 27n + ((y & 1n) ^ (isHigh ? 1n : 0n))
  return `0x${[r, isHigh ? N - s : s].map((word) => word.toString(16).padStart(64, '0')).join('')}${v.toString(16)}`
}
