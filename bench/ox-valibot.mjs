// The jobs with the smallest and fastest public JavaScript libraries: valibot for documents, ox for the chain.
import * as AbiFunction from 'ox/AbiFunction'
import * as AbiParameters from 'ox/AbiParameters'
import * as Address from 'ox/Address'
import * as Hex from 'ox/Hex'
import * as PersonalMessage from 'ox/PersonalMessage'
import * as UserOperation from 'ox/erc4337/UserOperation'
import * as v from 'valibot'
import { checked, estimated, typed } from './backend.mjs'
import { amount, chain, initiateJob, nft, quantity, sound, typesBy } from './patterns.mjs'

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

const library = {
  read: (value) => v.parse(Request, value),
  types: typesBy((tuple) => AbiParameters.from(tuple)),
  encode: AbiParameters.encode,
  decode: AbiParameters.decode,
  slice: Hex.slice,
}
const abi = AbiFunction.from(initiateJob)
const initiate = (args) => AbiFunction.encodeData(abi, args)

export const estimate = (text, facts) => estimated(library, initiate, text, facts)

export const userOpHash = (op, { chainId, entryPoint, version }) =>
  UserOperation.hash(typed(op), { chainId, entryPointAddress: entryPoint, entryPointVersion: version })

export const client = (request, text, deployment) =>
  PersonalMessage.getSignPayload(userOpHash(checked(library, request, text, deployment), deployment))
