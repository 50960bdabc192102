// What call data does, in words, beside what was asked for.

import { decodeCall, describeCall, encodeCall } from 'sendoff'
import type { CallDescription, EstimateRequest, Intent, Move } from 'sendoff'
import { chainInWords } from './networks.js'
import { make, prose } from './page.js'
import { grouped } from './signing.js'

/** What is said of a call: sentences by what they speak of. */
type Words = ReadonlyMap<string, string>

/** The call in words; where it does other things than those asked for, both stand there. */
export function callInWords(callData: string, request: EstimateRequest): HTMLElement {
  const found = words(describeCall(callData))
  const asked = words(describeCall(callAsked(callData, request)))
  const list = make('dl', 'facts')
  for (const term of new Set([...asked.keys(), ...found.keys()])) {
    const [is, was] = [found.get(term) ?? 'Nothing.', asked.get(term) ?? 'Nothing.']
    const told = make('dd', is === was ? '' : 'differs', ...prose(is))
    if (is !== was) told.append(make('p', 'asked', 'You asked for: ', ...prose(was)))
    list.append(make('dt', '', term), told)
  }
  return list
}

/** The call data as the request wants it, for the user and the application that stand in the reply's. */
function callAsked(callData: string, { type, details, jobId, feePayerAddress }: EstimateRequest) {
  const intent = { type, details } as Intent
  return encodeCall({ ...decodeCall(callData), intent, jobId, feePayerAddress: feePayerAddress ?? '' })
}

function words({ moves, chain, feePayer, gsn, jobId, client, jobManager }: CallDescription): Words {
  const said = new Map<string, string>()
  for (const [at, move] of moves.entries()) {
    const of = moves.length > 1 ? `, ${at + 1} of ${moves.length}` : ''
    said.set(`What${of}`, what(move))
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

function what(move: Move): string {
  switch (move.kind) {
    case 'nft':
      return (
        `${pieces(move.amount)} of the NFT \`${move.nftId}\`, ${move.standard}, ` +
        `of the collection \`${move.collection}\`.`
      )
    case 'token':
      return `${grouped(move.amount)} of the smallest unit of the token \`${move.contract}\`.`
    case 'native':
      return `${grouped(move.amount)} wei of the chain's native token.`
    case 'function': {
      const given = move.arguments.map(({ name, value }) => `${name} \`${value}\``)
      const sent = `${grouped(BigInt(move.value).toString())} wei`
      return `A call of \`${move.function}\` with ${[...given, sent].join(', ')}.`
    }
    case 'call':
      return (
        `A call with ${(move.data.length - 2) / 2} bytes of data and ${grouped(BigInt(move.value).toString())} wei. ` +
        'What the contract does is not known here.'
      )
  }
}

const pieces = (amount: string) => (amount === '1' ? 'One piece' : `${grouped(amount)} pieces`)
