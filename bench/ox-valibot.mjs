// The jobs with the smallest and fastest public JavaScript libraries: valibot for documents, ox for the chain.
import * as AbiFunction from 'ox/AbiFunction'
import * as AbiParameters from 'ox/AbiParameters'
import * as Address from 'ox/Address'
import * as Hex from 'ox/Hex'
import * as PersonalMessage from 'ox/PersonalMessage'
import * as UserOperation from 'ox/erc4337/UserOperation'
import * as v from 'valibot'
import { compare } from './compare.mjs'
import { amount, chain, executeUserOp, initiateJob, nft, nobody, noGsn, quantity, sound, tuples } from './patterns.mjs'
import { nonceOf, reply, typed } from './reply.mjs'

const matching = (pattern) => v.pipe(v.string(), v.regex(pattern))
const address = v.pipe(v.string(), v.check((text) => Address.validate(text, { strict: true })))
const Request = v.pipe(
  v.strictObject({
    type: v.literal('NFT_TRANSFER'),
    jobId: v.pipe(v.string(), v.uuid()),
    gasDetails: v.strictObject({ maxFeePerGas: matching(quantity), maxPriorityFeePerGas: matching(quantity) }),
    paymasterData: v.pipe(v.string(), v.check((text) => Hex.validate(text, { strict: true }) && text.length % 2 === 0)),
    details: v.strictObject({
      caip2Id: matching(chain),
      nftId: matching(nft),
      recipientWalletAddress: address,
      collectionAddress: address,
      amount: matching(amount),
      nftType: v.string(),
    }),
  }),
  v.check(sound),
)

const abi = AbiFunction.from(initiateJob)
const [policies, gsn, job, outer] = Object.values(tuples).map((tuple) => AbiParameters.from(tuple))

export function estimate(text, facts) {
  const request = v.parse(Request, JSON.parse(text))
  const nonce = nonceOf(request.jobId)
  const inner = AbiFunction.encodeData(abi, [
    BigInt(nonce),
    facts.clientSWA,
    facts.userSWA,
    nobody,
    AbiParameters.encode(policies, [facts.policies]),
    AbiParameters.encode(gsn, [noGsn]),
    AbiParameters.encode(job, [{ ...request.details, amount: BigInt(request.details.amount) }]),
    request.type,
  ])
  return reply(request, facts, nonce, AbiParameters.encode(outer, [executeUserOp, facts.jobManager, 0n, inner]))
}

export const userOpHash = (op, { chainId, entryPoint, version }) =>
  UserOperation.hash(typed(op), { chainId, entryPointAddress: entryPoint, entryPointVersion: version })

const words = AbiParameters.from('uint256, address, address, address, bytes, bytes, bytes, string')

export function client(request, text, deployment) {
  v.parse(Request, request)
  const reply = JSON.parse(text)
  const { userOps } = reply.data
  const decoded = AbiParameters.decode(outer, userOps.callData)
  const [selector, manager, value, call] = decoded
  const inner = AbiParameters.decode(words, Hex.slice(call, 4))
  compare(request, reply, deployment, {
    selector,
    manager,
    value,
    again: AbiParameters.encode(outer, decoded),
    inner,
    policies: AbiParameters.decode(policies, inner[4])[0],
    gsn: AbiParameters.decode(gsn, inner[5])[0],
    details: AbiParameters.decode(job, inner[6])[0],
  })
  return PersonalMessage.getSignPayload(userOpHash(userOps, deployment))
}
