// User operations and their parts: call data, paymaster data, packing, hashes.

import { document, optional, text } from './argument.js'
import { ask } from './backend.js'
import type {
  Call,
  CallDescription,
  DecodedCall,
  Document,
  EntryPoint,
  Hex,
  PackedUserOp,
  PackOptions,
  PaymasterData,
  PaymasterGrant,
  UserOp,
} from './types.js'

/**
 * The call data that starts a job. Each field is judged, no rule across fields.
 *
 * @throws {@link SendoffError} with every problem of the content.
 */
export function encodeCall(call: Document<Call>): Hex {
  return ask('encodeCall', document(call))
}

/**
 * The content of call data. Only what {@link encodeCall} writes decodes; hex of either case.
 *
 * @throws {@link SendoffError} for anything else.
 */
export function decodeCall(hex: string): DecodedCall {
  return ask('decodeCall', text(hex))
}

/**
 * What call data will do, for a person to read.
 *
 * @throws {@link SendoffError} where {@link decodeCall} does.
 */
export function describeCall(hex: string): CallDescription {
  return ask('describeCall', text(hex))
}

/**
 * A user operation as the EntryPoint takes it.
 *
 * @throws {@link SendoffError} with every problem of the operation and, under `options.`, of the options.
 */
export function packUserOp(op: Document<UserOp>, options?: Document<PackOptions>): PackedUserOp {
  return ask('packUserOp', document(op), optional(document, options, 'options'))
}

/**
 * The hash of a user operation, as the EntryPoint of the given version computes it. With 0.9 a paymaster signature is
 * left out as that EntryPoint does. Source: ERC-4337.
 *
 * @throws {@link SendoffError} with every problem of the operation and, under `options.`, of the options; `rule` at
 * `factory` for an EIP-7702 account in 0.8 and 0.9, whose hash depends on the account's delegate.
 */
export function userOpHash(op: Document<UserOp>, options: Document<EntryPoint>): Hex {
  return ask('userOpHash', document(op), document(options, 'options'))
}

/**
 * The most that a user operation can cost, in wei, as a decimal: all its gas at the fee cap, as the EntryPoint reserves
 * it.
 *
 * @throws {@link SendoffError} with every problem of the operation, and where the EntryPoint would refuse the sum.
 */
export function maxCost(op: Document<UserOp>): string {
  return ask('maxCost', document(op))
}

/**
 * The EIP-191 digest of a hash of 32 bytes: what a key signs.
 *
 * @throws {@link SendoffError} where the hash is none.
 */
export function signingDigest(hash: string): Hex {
  return ask('signingDigest', text(hash))
}

/**
 * What a paymaster's signature is over.
 *
 * @throws {@link SendoffError} with every problem of the grant.
 */
export function paymasterHash(grant: Document<PaymasterGrant>): Hex {
  return ask('paymasterHash', document(grant))
}

/**
 * The paymaster data of an estimate request.
 *
 * @throws {@link SendoffError} with every problem of the content.
 */
export function encodePaymasterData(data: Document<PaymasterData>): Hex {
  return ask('encodePaymasterData', document(data))
}

/**
 * The content of paymaster data. Only what {@link encodePaymasterData} writes decodes; hex of either case.
 *
 * @throws {@link SendoffError} for anything else.
 */
export function decodePaymasterData(hex: string): PaymasterData {
  return ask('decodePaymasterData', text(hex))
}
