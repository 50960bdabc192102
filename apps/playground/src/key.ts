// A key that the page makes and throws away, for the pocket service.

import * as Address from 'ox/Address'
import * as PersonalMessage from 'ox/PersonalMessage'
import * as Secp256k1 from 'ox/Secp256k1'
import * as Signature from 'ox/Signature'
import type { Hex } from 'sendoff'

/** Its address, and its signatures of messages (EIP-191). */
export function made(): { readonly address: Hex; readonly sign: (hash: Hex) => Hex } {
  const privateKey = Secp256k1.randomPrivateKey()
  const address = Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey }), { checksum: true })
  return { address, sign: (hash) => Signature.toHex(Secp256k1.sign({ payload: PersonalMessage.getSignPayload(hash), privateKey })) }
}
