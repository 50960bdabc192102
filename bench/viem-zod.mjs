// The jobs as TypeScript backends do them today: zod for documents, viem for the chain.
import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  hashMessage,
  isAddress,
  isHex,
  parseAbi,
  parseAbiParameters,
  slice,
} from 'viem'
import { getUserOperationHash } from 'viem/account-abstraction'
import * as z from 'zod'
import { checked, estimated, typed } from './backend.mjs'
import { amount, chain, initiateJob, nft, quantity, sound, typesBy } from './patterns.mjs'

const address = z.string().refine((text) => isAddress(text))
const Request = z
  .strictObject({
    type: z.literal('NFT_TRANSFER'),
    jobId: z.guid(),
    gasDetails: z.strictObject({
      maxFeePerGas: z.string().regex(quantity),
      maxPriorityFeePerGas: z.string().regex(quantity),
    }),
    paymasterData: z.string().refine((text) => isHex(text) && text.length % 2 === 0),
    details: z.strictObject({
      caip2Id: z.string().regex(chain),
      nftId: z.string().regex(nft),
      recipientWalletAddress: address,
      collectionAddress: address,
      amount: z.string().regex(amount),
      nftType: z.string(),
    }),
  })
  .refine(sound)

const library = {
  read: (value) => Request.parse(value),
  types: typesBy(parseAbiParameters),
  encode: encodeAbiParameters,
  decode: decodeAbiParameters,
  slice,
}
const abi = parseAbi([initiateJob])
const initiate = (args) => encodeFunctionData({ abi, functionName: 'initiateJob', args })

export const estimate = (text, facts) => estimated(library, initiate, text, facts)

export const userOpHash = (op, { chainId, entryPoint, version }) =>
  getUserOperationHash({
    chainId,
    entryPointAddress: entryPoint,
    entryPointVersion: version,
    userOperation: typed(op),
  })

export const client = (request, text, deployment) =>
  hashMessage({ raw: userOpHash(checked(library, request, text, deployment), deployment) })
