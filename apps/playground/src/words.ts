// The effects of call data in words, beside the request.

import { decodeCall, describeCall, encodeCall, SendoffError } from 'sendoff'
import type { CallDescription, EstimateRequest, Move } from 'sendoff'
import { coded } from './hex.js'
import { chainInWords } from './networks.js'
import { make } from './page.js'
import { coins, grouped } from './units.js'

/** The description of a call: sentences by their subject. */
type Words = ReadonlyMap<string, string>

/** The call of a reply in words. If it differs from the request, both are shown. */
export function callInWords(reply: string, request: EstimateRequest): HTMLElement {
  try {
    return compared(JSON.parse(reply).data.userOps.callData, request)
  } catch (error) {
    if (SendoffError.is(error)) return make('p', 'finding', ...coded(`The call data cannot be read: ${error.message}.`))
    return make('p', 'finding', 'The reply has no call data.')
  }
}

function compared(callData: string, request: EstimateRequest): HTMLElement {
  const found = words(describeCall(callData))
  const asked = words(describeCall(callAsked(callData, request)))
  const list = make('dl', 'facts')
  for (const term of new Set([...asked.keys(), ...found.keys()])) {
    const [is, was] = [found.get(term) ?? 'Nothing.', asked.get(term) ?? 'Nothing.']
    const description = make('dd', is === was ? '' : 'differs', ...coded(is))
    if (is !== was) description.append(make('p', 'asked', 'You asked for: ', ...coded(was)))
    list.append(make('dt', '', term), description)
  }
  return list
}

/** The call data of the request, with the user and the application of the reply. */
function callAsked(callData: string, { type, details, jobId, feePayerAddress }: EstimateRequest) {
  const asked = { intent: { type, details }, jobId, feePayerAddress: feePayerAddress ?? '' }
  return encodeCall(JSON.stringify({ ...decodeCall(callData), ...asked }))
}

function words({ moves, chain, feePayer, gsn, jobId, client, jobManager }: CallDescription): Words {
  const said = new Map<string, string>()
  for (const [at, move] of moves.entries()) {
    const of = moves.length > 1 ? `, ${at + 1} of ${moves.length}` : ''
    said.set(`What${of}`, what(move, chain))
    said.set(`From${of}`, `\`${move.from}\``)
    said.set(`To${of}`, `\`${move.to}\``)
  }
  said.set('Chain', chainInWords(chain))
  said.set('Fee', feePayer ? `\`${feePayer}\` pays it in the user's place.` : "Nobody pays it in the user's place.")
  if (gsn.isRequired) said.set('Gas', `From the gas station, on ${gsn.requiredNetworks.map(chainInWords).join(', ')}.`)
  said.set('Job', `\`${jobId}\``)
  said.set('Application', `\`${client}\``)
  said.set('Contract', `\`${jobManager}\``)
  return said
}

function what(move: Move, chain: string): string {
  switch (move.kind) {
    case 'nft':
      return `NFT \`${move.nftId}\`${pieces(move.amount)} of the collection \`${move.collection}\`, ${move.standard}.`
    case 'token':
      return `${grouped(move.amount)} units of the token \`${move.contract}\`.`
    case 'native':
      return `${coins(move.amount, chain)}, the chain's own coin.`
    case 'function': {
      const given = move.arguments.map(({ name, value }) => `${name} \`${value}\``)
      return `A call of \`${move.function}\` with ${[...given, coins(BigInt(move.value), chain)].join(', ')}.`
    }
    case 'call':
      return (
        `A call with ${(move.data.length - 2) / 2} bytes of data and ${coins(BigInt(move.value), chain)}. ` +
        'The effect of the contract is unknown.'
      )
  }
}

const pieces = (amount: string) => (amount === '1' ? '' : ` (${grouped(amount)} pieces)`)
