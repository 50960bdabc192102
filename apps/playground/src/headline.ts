// The headline of a transfer: the asset, the recipient, the chain, and the maximum cost.

import { describeCall, encodeCall, type CallDescription, type EstimateRequest, type Move, type SignedOperation } from 'sendoff'
import { NAMES, nameOf, tokenOf } from './chains.js'
import { short } from './hex.js'
import { amountOf } from './units.js'

const NOBODY = '0x0000000000000000000000000000000000000000'

/** The core's description of a request. The sender is unknown until the reply. */
export function describeRequest({ type, details, jobId, feePayerAddress }: EstimateRequest): CallDescription {
  const policies = { gsnEnabled: false, sponsorshipEnabled: false }
  const said = { jobId, feePayerAddress: feePayerAddress ?? '' }
  const others = { jobManager: NOBODY, clientSWA: NOBODY, userSWA: NOBODY }
  return describeCall(encodeCall(JSON.stringify({ ...others, ...said, policies, intent: { type, details } })), NAMES)
}

/**
 * `25 USDC goes to 0x88be…3eF2 on Polygon, for at most 0.00375 POL.` The cost is known once there is a verified reply, and is paid on
 * the EntryPoint's chain: the assets may be on another one.
 */
export function headline({ moves, chain }: CallDescription, operation: SignedOperation | undefined): (Node | string)[] {
  const cost = operation ? `, for at most ${amountOf(operation.maxCost, operation.chain)}` : ''
  return [...subject(moves, chain), ` on ${nameOf(chain).replaceAll(' ', '\u00a0')}${cost}.`]
}

function subject(moves: readonly Move[], chain: string): (Node | string)[] {
  const [move] = moves
  if (move === undefined || moves.length > 1) return [`${moves.length} transactions run`]
  switch (move.kind) {
    case 'nft':
      return ['NFT ', short(move.nftId), move.amount === '1' ? '' : ` (${move.amount} pieces)`, ' goes to ', short(move.to)]
    case 'token':
      return [amountOf(move.amount, chain, move.contract), ...unknown(chain, move.contract), ' goes to ', short(move.to)]
    case 'native':
      return [amountOf(move.amount, chain), ' goes to ', short(move.to)]
    case 'function':
      return [`A call of ${move.function.split('(')[0]} goes to `, short(move.to)]
    case 'call':
      return ['A call goes to ', short(move.to)]
  }
}

/** Which token it is, if the page has no name for it. */
const unknown = (chain: string, contract: string) => (tokenOf(chain, contract) ? [] : [' of the token ', short(contract)])
