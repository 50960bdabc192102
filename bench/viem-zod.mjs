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
import { compare } from './compare.mjs'
import { amount, chain, executeUserOp, initiateJob, nft, nobody, noGsn, quantity, sound, tuples } from './patterns.mjs'
import { nonceOf, reply, typed } from './reply.mjs'

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

const abi = parseAbi([initiateJob])
const [policies, gsn, job, outer] = Object.values(tuples).map((tuple) => parseAbiParameters(tuple))

export function estimate(text, facts) {
  const request = Request.parse(JSON.parse(text))
  const nonce = nonceOf(request.jobId)
  const inner = encodeFunctionData({
    abi,
    functionName: 'initiateJob',
    args: [
      BigInt(nonce),
      facts.clientSWA,
      facts.userSWA,
      nobody,
      encodeAbiParameters(policies, [facts.policies]),
      encodeAbiParameters(gsn, [noGsn]),
      encodeAbiParameters(job, [{ ...request.details, amount: BigInt(request.details.amount) }]),
      request.type,
    ],
  })
  return reply(request, facts, nonce, encodeAbiParameters(outer, [executeUserOp, facts.jobManager, 0n, inner]))
}

export const userOpHash = (op, { chainId, entryPoint, version }) =>
  getUserOperationHash({
    chainId,
    entryPointAddress: entryPoint,
    entryPointVersion: version,
    userOperation: typed(op),
  })

const words = parseAbiParameters('uint256, address, address, address, bytes, bytes, bytes, string')

export function client(request, text, deployment) {
  Request.parse(request)
  const reply = JSON.parse(text)
  const { userOps } = reply.data
  const decoded = decodeAbiParameters(outer, userOps.callData)
  const [selector, manager, value, call] = decoded
  const inner = decodeAbiParameters(words, slice(call, 4))
  compare(request, reply, deployment, {
    selector,
    manager,
    value,
    again: encodeAbiParameters(outer, decoded),
    inner,
    policies: decodeAbiParameters(policies, inner[4])[0],
    gsn: decodeAbiParameters(gsn, inner[5])[0],
    details: decodeAbiParameters(job, inner[6])[0],
  })
  return hashMessage({ raw: userOpHash(userOps, deployment) })
}
