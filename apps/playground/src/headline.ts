// The headline of a transfer: the asset, the recipient, the chain, and the maximum cost.

import { describeCall, encodeCall, type CallDescription, type EstimateRequest, type Hex, type Move, type SignedOperation } from 'sendoff'
import { NAMES } from './chains.js'
import { shortAddress, shortId } from './hex.js'
import { nameOf } from './networks.js'
import { coins, coinsOn, grouped, inUnits } from './units.js'

const NOBODY = '0x0000000000000000000000000000000000000000'

/** The core's description of a request. The sender is unknown until the reply. */
export function describeRequest({ type, details, jobId, feePayerAddress }: EstimateRequest): CallDescription {
  const policies = { gsnEnabled: false, sponsorshipEnabled: false }
  const said = { jobId, feePayerAddress: feePayerAddress ?? '' }
  const others = { jobManager: NOBODY, clientSWA: NOBODY, userSWA: NOBODY }
  return describeCall(encodeCall(JSON.stringify({ ...others, ...said, policies, intent: { type, details } })), NAMES)
}

/**
 * `NFT 56 goes to 0xEc18…B831 on Polygon Amoy, for at most 0.00375 ETH.` The cost is known once there is a reply, and is paid on the
 * EntryPoint's chain: the assets may be on another one.
 */
export function headline({ moves, chain }: CallDescription, operation: SignedOperation | undefined): (Node | string)[] {
  const cost = operation ? `, for at most ${coinsOn(operation.maxCost, operation.chain)}` : ''
  return [...subject(moves, chain), ` on ${nameOf(chain).replaceAll(' ', '\u00a0')}${cost}.`]
}

function subject(moves: readonly Move[], chain: string): (Node | string)[] {
  const [move] = moves
  if (move === undefined || moves.length > 1) return [`${moves.length} transactions run`]
  switch (move.kind) {
    case 'nft':
      return ['NFT ', shortId(move.nftId), `${pieces(move.amount)} goes to `, shortAddress(move.to)]
    case 'token':
      return [...tokens(move.amount, move.contract, chain), ' goes to ', shortAddress(move.to)]
    case 'native':
      return [`${coins(move.amount, chain)} goes to `, shortAddress(move.to)]
    case 'function':
      return [`A call of ${move.function.split('(')[0]} goes to `, shortAddress(move.to)]
    case 'call':
      return ['A call goes to ', shortAddress(move.to)]
  }
}

/** An amount of a token: with its symbol if the page knows it. */
function tokens(amount: string, contract: Hex, chain: string): (Node | string)[] {
  const isIt = (token: { readonly caip2Id: string; readonly tokenAddress: string }) =>
    token.caip2Id === chain && token.tokenAddress.toLowerCase() === contract.toLowerCase()
  const known = NAMES.tokens?.find(isIt)
  return known ? [`${inUnits(amount, known.decimals)} ${known.symbol}`] : [`${grouped(amount)} units of the token `, shortAddress(contract)]
}

const pieces = (amount: string) => (amount === '1' ? '' : ` (${grouped(amount)} pieces)`)
