// Values that are passed between sendoff, viem and ox without a cast. This file is compiled, not run.

import { estimate, packUserOp, signable, type EstimateReply, type Hex, type UserOp } from 'sendoff'
import type { Address as OxAddress, Hex as OxHex } from 'ox'
import type { UserOperation as OxUserOperation } from 'ox/erc4337'
import { getAddress, hashTypedData, type Address, type Chain, type Hex as ViemHex, type LocalAccount, type Transport, type WalletClient } from 'viem'
import {
  formatUserOperation,
  getUserOperationHash,
  toPackedUserOperation,
  type PackedUserOperation,
  type RpcUserOperation,
} from 'viem/account-abstraction'

declare const reply: EstimateReply
declare const request: Parameters<typeof estimate>[0]
declare const where: Parameters<typeof signable>[2]
declare const signature: ViemHex

const { callData, userOps } = reply.data

// Hex and addresses have the same types in all three.
export const hex: readonly [ViemHex, OxHex.Hex] = [userOps.callData, userOps.callData]
export const address: readonly [Address, OxAddress.Address] = [userOps.sender, userOps.sender]
export const payer: Address | '' = callData.feePayerAddress
const { account, hash } = signable(request, reply, where)
export const signed: { readonly raw: ViemHex } = { raw: hash }

// What is signed is an argument of viem's functions as it is: a message, or typed data.
declare const local: LocalAccount
declare const wallet: WalletClient<Transport, Chain, LocalAccount>
const { typedData } = signable(request, reply, where)
export const message: Promise<ViemHex> = local.signMessage({ message: { raw: hash } })
if (typedData) {
  local.signTypedData(typedData) satisfies Promise<ViemHex>
  wallet.signTypedData(typedData) satisfies Promise<ViemHex>
  hashTypedData(typedData) satisfies ViemHex
  typedData.primaryType satisfies 'PackedUserOperation'
}

for (const move of account.call.moves) if (move.kind === 'token') move.contract satisfies Address

// A signed operation is the argument of bundlers: eth_sendUserOperation of viem and of ox.
export const rpc: RpcUserOperation<'0.7'> = { ...userOps, signature }
export const oxRpc: OxUserOperation.Rpc<'0.7'> = { ...userOps, signature }

// viem's functions use bigints, which it reads from the same operation.
const userOperation = formatUserOperation(rpc)
toPackedUserOperation(userOperation)
export const viemHash: Hex = getUserOperationHash({
  chainId: 1,
  entryPointAddress: account.operation.entryPoint,
  entryPointVersion: '0.7',
  userOperation,
})

// The packed operation has viem's type, except for two numbers that are bigints there.
export const packed: Omit<PackedUserOperation, 'nonce' | 'preVerificationGas' | 'signature'> = packUserOp(userOps)

// The other direction.
export const op: UserOp = { ...userOps, sender: getAddress('0x0'), callData: hex[0], signature }
