// What the types of documents and answers let pass, and what they do not. Compiled and never run.

import * as sendoff from 'sendoff'
import type { ChainId, EstimateRequest, NftTransfer, Reply, UserOp, Verdict } from 'sendoff'

const address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const gasDetails = { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' } as const
const common = { jobId: 'b9e16100-446f-4050-84ed-a846d2bae528', gasDetails, paymasterData: '0x' } as const

// A request is told apart by its type, and its details are of that type.
const transfer = { caip2Id: 'eip155:1', recipientWalletAddress: address, amount: '1', tokenAddress: '' } as const
export const request: EstimateRequest = { ...common, type: 'TOKEN_TRANSFER', details: transfer }
if (request.type === 'TOKEN_TRANSFER') request.details.tokenAddress satisfies '' | sendoff.Address
// @ts-expect-error an NFT transfer has an NFT
export const mixed: EstimateRequest = { ...common, type: 'NFT_TRANSFER', details: transfer }
// @ts-expect-error there is no such type
export const unknown: EstimateRequest = { ...common, type: 'SWAP', details: transfer }
// @ts-expect-error an estimate is of an EVM chain
export const solana: EstimateRequest = { ...request, details: { ...transfer, caip2Id: 'solana:a' } }
// @ts-expect-error a quantity is hex
export const decimal: EstimateRequest = { ...request, gasDetails: { ...gasDetails, maxFeePerGas: '2' } }

// Any CAIP-2 chain may be required of the gas station network; a number alone is none.
export const chains: readonly ChainId[] = ['eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']
// @ts-expect-error a chain has a namespace
export const bare: ChainId = '137'

// Known standards are suggested, others are let through.
export const standards: readonly NftTransfer['nftType'][] = ['ERC721', 'ERC1155', 'ERC404']
export const known: Extract<NftTransfer['nftType'], 'ERC721'> = 'ERC721'

// What was made read only goes in, and what comes out is read only.
const frozen = { limit: 1500, windowMs: 300_000 } as const
const { window, verdict } = sendoff.admit(frozen, null, 0)
// @ts-expect-error an answer is read only
window.count = 0
// @ts-expect-error and so are its lists
sendoff.plan(frozen, window, 0, 1).push({ at: 0, count: 1 })

// Verdicts and replies are unions.
export const seconds = (verdict: Verdict): number => (verdict.admitted ? verdict.resetAfter : verdict.retryAfter)
// @ts-expect-error only a refusal says when to try again
verdict.retryAfter
export const data = (reply: Reply): unknown => (reply.status === 'success' ? reply.data : reply.details)
// @ts-expect-error what the service answers is not known
sendoff.readReply('').data.id
const found = sendoff.findOperation('GET', '/')
if (found.refused === 'not-canonical') found.operation satisfies sendoff.OperationId
else if (found.refused === undefined) found.params satisfies { readonly [name: string]: string }

// A reply's payload is of its type.
const { callData } = sendoff.estimate(request, '{}').data
if (callData.intentType === 'NFT_TRANSFER') callData.payload.nftId satisfies string

// The paymaster's four fields stand together, and a factory's data not alone.
declare const op: UserOp
if (op.paymaster !== undefined) op.paymasterData satisfies sendoff.Hex
// @ts-expect-error data of no factory
export const factory: UserOp = { ...op, factory: undefined, factoryData: '0x' }

// Undefined is as good as absent in what goes in.
export const ask: sendoff.RedisAsk = { environment: 'a', scope: 'b', kind: 'peek', cost: undefined, now: undefined }
// @ts-expect-error there is no such question
export const wrong: sendoff.RedisAsk = { ...ask, kind: 'take' }

// What comes out of one call goes into the next.
sendoff.encodeCall(sendoff.decodeCall('0x')).length satisfies number
sendoff.touch(frozen, sendoff.redisAnswer(frozen, [0, 0, 0, 0, 0]).window, 0)
sendoff.userOpHash(sendoff.estimate(request, '{}').data.userOps, { entryPoint: address, chainId: 1, version: '0.7' })
