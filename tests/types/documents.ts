// Values that the types of documents and answers accept and refuse. This file is compiled, not run.

import * as sendoff from 'sendoff'
import type { ChainId, EstimateRequest, NftTransfer, Reply, UserOp, Verdict } from 'sendoff'

const address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const gasDetails = { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' } as const
const common = { jobId: 'b9e16100-446f-4050-84ed-a846d2bae528', gasDetails, paymasterData: '0x' } as const

// The type of a request determines the type of its details.
const transfer = { caip2Id: 'eip155:1', recipientWalletAddress: address, amount: '1', tokenAddress: '' } as const
export const request: EstimateRequest = { ...common, type: 'TOKEN_TRANSFER', details: transfer }
if (request.type === 'TOKEN_TRANSFER') request.details.tokenAddress satisfies string
// @ts-expect-error an NFT transfer has an NFT
export const mixed: EstimateRequest = { ...common, type: 'NFT_TRANSFER', details: transfer }
// @ts-expect-error the type is unknown
export const unknown: EstimateRequest = { ...common, type: 'SWAP', details: transfer }
// Inputs are text from any source: a form, a file, a variable. The core checks it.
declare const text: string
export const typed: EstimateRequest = {
  ...{ type: 'TOKEN_TRANSFER', jobId: text, paymasterData: text, feePayerAddress: text },
  gasDetails: { maxFeePerGas: text, maxPriorityFeePerGas: text },
  details: { caip2Id: text, recipientWalletAddress: text, tokenAddress: text, amount: text },
}
// @ts-expect-error a quantity is text
export const decimal: EstimateRequest = { ...request, gasDetails: { ...gasDetails, maxFeePerGas: 2 } }

// A wrong detail is reported at its field.
const nft = { caip2Id: 'eip155:1', recipientWalletAddress: address, collectionAddress: address, nftType: 'ERC721' }
sendoff.estimate({
  ...common,
  type: 'NFT_TRANSFER',
  details: {
    ...nft,
    amount: '1',
    // @ts-expect-error an id is text
    nftId: 56,
  },
}, '{}')
export const misspelt: EstimateRequest = {
  ...common,
  type: 'NFT_TRANSFER',
  details: {
    ...nft,
    amount: '1',
    nftId: '56',
    // @ts-expect-error the field is unknown
    tokenAddress: '',
  },
}
sendoff.signable({
  ...common,
  type: 'NFT_TRANSFER',
  // @ts-expect-error the id is missing
  details: { ...nft, amount: '1' },
}, '', '{}')

// In a request without a declared type, and in imported JSON, the present fields are checked.
const inferred = { ...common, type: 'NFT_TRANSFER', details: { ...nft, nftId: '56', amount: '1' } }
sendoff.verifyEstimate(inferred, '')
sendoff.safeEstimate(inferred, '{}')
// @ts-expect-error an id is text
sendoff.verifyEstimate({ ...inferred, details: { ...inferred.details, nftId: 56 } }, '')
const deployment = { chainId: 1, version: '0.7', gasFeeOrder: 'maxFirst', entryPoint: text }
sendoff.signable(request, '', { ...deployment, jobManager: text, paymaster: text, clientSWA: text })
// @ts-expect-error a chain id is a number
sendoff.signable(request, '', { ...deployment, chainId: '1', jobManager: text, paymaster: text, clientSWA: text })

// A path has the parameters of its operation.
sendoff.operationPath('serverTransferTokens', { userId: text })
sendoff.operationPath('serverTransferTokens', '{"userId":"u 1"}')
sendoff.operationPath('transferTokens', {})
// @ts-expect-error it needs the user's id
sendoff.operationPath('serverTransferTokens', {})
// @ts-expect-error it has another parameter
sendoff.operationPath('serverTransferTokens', { walletId: text })
// @ts-expect-error it has no parameter
sendoff.operationPath('transferTokens', { userId: text })
// @ts-expect-error its twin has no parameter
sendoff.safeOperationPath('serverTransferTokens', {})

// The gas station network accepts any CAIP-2 chain; a number is not a chain.
export const chains: readonly ChainId[] = ['eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']
// @ts-expect-error a chain has a namespace
export const bare: ChainId = '137'

// Known standards are suggested, others are accepted.
export const standards: readonly NftTransfer['nftType'][] = ['ERC721', 'ERC1155', 'ERC404']
export const known: Extract<NftTransfer['nftType'], 'ERC721'> = 'ERC721'

// Inputs may be read-only, and answers are read-only.
const frozen = { limit: 1500, windowMs: 300_000 } as const
const { window, verdict } = sendoff.admit(frozen, null, 0)
// @ts-expect-error an answer is read-only
window.count = 0
// @ts-expect-error the lists of an answer are read-only
sendoff.plan(frozen, window, 0, 1).push({ at: 0, count: 1 })

// Verdicts and replies are unions.
export const seconds = (verdict: Verdict): number => (verdict.admitted ? verdict.resetAfter : verdict.retryAfter)
// @ts-expect-error only a refusal has retryAfter
verdict.retryAfter
export const data = (reply: Reply): unknown => (reply.status === 'success' ? reply.data : reply.details)
// @ts-expect-error the data of a service's answer is unknown
sendoff.readReply('').data.id
const found = sendoff.findOperation('GET', '/')
if (found.refused === 'not-canonical') found.operation satisfies sendoff.Operation
else if (found.refused === undefined) found.params satisfies { readonly [name: string]: string }

// The type of a reply determines its payload.
const { callData } = sendoff.estimate(request, '{}').data
if (callData.intentType === 'NFT_TRANSFER') callData.payload.nftId satisfies string

// The four fields of a paymaster are present together, and a factory's data requires a factory.
declare const op: UserOp
if (op.paymaster !== undefined) op.paymasterData satisfies string
// @ts-expect-error data without a factory
export const factory: UserOp = { ...op, factory: undefined, factoryData: '0x' }

// In inputs, undefined means absent.
export const ask: sendoff.RedisAsk = { environment: 'a', scope: 'b', kind: 'peek', cost: undefined, now: undefined }
// @ts-expect-error a question is text
export const wrong: sendoff.RedisAsk = { ...ask, kind: 1 }

// Answers have exact types: hex and known words.
const decoded = sendoff.decodeCall('0x')
if (decoded.intent.type === 'NFT_TRANSFER') decoded.intent.details.recipientWalletAddress satisfies sendoff.Address
if (callData.intentType === 'TOKEN_TRANSFER') callData.payload.tokenAddress satisfies '' | sendoff.Hex
sendoff.decodePaymasterData('0x').clientSWA satisfies sendoff.Hex
sendoff.submission(null, { type: 'brokenOff' }).state.hash satisfies sendoff.Hex
sendoff.signable(request, '', '{}').account.operation.version satisfies '0.7' | '0.8' | '0.9'

// The answer of one call is the input of the next.
sendoff.encodeCall(sendoff.decodeCall('0x')).length satisfies number
sendoff.touch(frozen, sendoff.redisAnswer(frozen, [0, 0, 0, 0, 0]).window, 0)
