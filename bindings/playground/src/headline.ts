// The headline of a transfer: the asset, the recipient, the chain, and the maximum cost.

import { describeCall, encodeCall, type CallDescription, type EstimateRequest, type Move } from 'sendoff'
import { NAMES } from './chains.js'
import { shortAddress } from './hex.js'
import { nameOf } from './networks.js'
import { coins, grouped } from './units.js'

const NOBODY = '0x0000000000000000000000000000000000000000'

/** The core's description of a request. The sender is unknown until the reply. */
export function describeRequest({ type, details, jobId, feePayerAddress }: EstimateRequest): CallDescription {
  const policies = { gsnEnabled: false, sponsorshipEnabled: false }
  const said = { jobId, feePayerAddress: feePayerAddress ?? '' }
  const others = { jobManager: NOBODY, clientSWA: NOBODY, userSWA: NOBODY }
  return describeCall(encodeCall(JSON.stringify({ ...others, ...said, policies, intent: { type, details } })), NAMES)
}

/** `1 NFT goes to 0xEc18…B831 on Polygon Amoy, at most 0.00375 POL`, with the cost if it is known. */
export function headline({ moves, chain }: CallDescription, maxCost: string | undefined): (Node | string)[] {
  const cost = maxCost === undefined ? '' : `, at most\u00a0${coins(maxCost, chain).replace(' ', '\u00a0')}`
  return [...subject(moves, chain), ` on ${nameOf(chain).replaceAll(' ', '\u00a0')}${cost}.`]
}

function subject(moves: readonly Move[], chain: string): (Node | string)[] {
  const [move] = moves
  if (move === undefined || moves.length > 1) return [`${moves.length} transactions run`]
  switch (move.kind) {
    case 'nft':
      return [`${grouped(move.amount)} NFT${move.amount === '1' ? ' goes' : 's go'} to `, shortAddress(move.to)]
    case 'token':
      return [`${grouped(move.amount)} of token `, shortAddress(move.contract), ' goes to ', shortAddress(move.to)]
    case 'native':
      return [`${coins(move.amount, chain)} goes to `, shortAddress(move.to)]
    case 'function':
      return ['A call of ', move.function.split('(')[0]!, ' goes to ', shortAddress(move.to)]
    case 'call':
      return ['A call goes to ', shortAddress(move.to)]
  }
}
