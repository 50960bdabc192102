// Made by `cargo xtask codegen` from the core; a change here is lost.

// The functions about signatures, each with its twin that returns what it throws.

import { ofText } from './argument.js'
import { invoke } from './signature-backend.js'
import { safe } from './result.js'
import type { SignatureCall, SignatureCheck } from './types.js'

/**
 * Checks that the key of `signer` made a signature of a digest: `{ok: true}`, or `{ok: false, reason, found?}`.
 *
 * @throws {@link SendoffError} `format` at the root for a digest that is not 32 bytes of hex, at `signature` for text
 * that is not hex, at `signer` for text that is no address.
 */
export function checkSignature(digest: string, signature: string, signer: string): SignatureCheck {
  return invoke('checkSignature', ofText(digest), ofText(signature, 'signature'), ofText(signer, 'signer'))
}

/** {@link checkSignature}, with its issues returned. */
export const safeCheckSignature = /* @__PURE__ */ safe(checkSignature)

/**
 * Returns the call that checks a contract's signature: `{to, data, answer, deploy?}`.
 *
 * @throws {@link SendoffError} `format` at the root for a digest that is not 32 bytes of hex, at `signature` for text
 * that is not hex or that ends as a signature of ERC-6492 and does not decode, at `account` for text that is not an
 * address.
 */
export function signatureCall(digest: string, signature: string, account: string): SignatureCall {
  return invoke('signatureCall', ofText(digest), ofText(signature, 'signature'), ofText(account, 'account'))
}

/** {@link signatureCall}, with its issues returned. */
export const safeSignatureCall = /* @__PURE__ */ safe(signatureCall)
