// Signatures by test keys.

import { secp256k1 } from '@noble/curves/secp256k1'

/** The 65 bytes r, s, v of a digest in hex by a key in hex. */
export function sign(digest, key) {
  const signature = secp256k1.sign(digest.slice(2), key.slice(2))
  return `0x${signature.toCompactHex()}${(27 + signature.recovery).toString(16)}`
}
