// The parts of an operation that both devices show before a signature.

import { comparisonCode, type Hex, type Signable, type SignedOperation, type Warning } from 'sendoff'
import { code, coded } from './hex.js'
import { place } from './labels.js'
import { make } from './page.js'
import { coins, coinsOn } from './units.js'

/** The 24 digits that two devices compare, in six groups. The second device chooses the challenge. */
export function digits(hash: Hex, challenge: string): HTMLElement {
  const groups = comparisonCode(hash, challenge).split(' ')
  return make('p', 'digits', ...groups.flatMap((group) => [make('span', '', group), ' ']))
}

/** What a wallet shows when it is asked to sign: the 32 bytes of a message, or the digests of typed data (ERC-8213). */
export function walletShows({ account, digests, hash }: Signable): HTMLElement {
  const { eip712 } = digests
  const isTyped = account.operation.signs === 'typedData' && eip712
  return facts([
    ...(isTyped
      ? ([['Digest', code(eip712.digest)], ['Domain hash', code(eip712.domain)], ['Message hash', code(eip712.message)]] as const)
      : ([['Message', code(hash)]] as const)),
    ['Call data', code(digests.callData)],
  ])
}

/** The warnings of an operation; empty for an ordinary transfer. */
export function warningList(warnings: readonly Warning[]): HTMLElement[] {
  if (!warnings.length) return []
  const items = warnings.map(({ message, path }) => make('li', '', make('strong', '', place(path)), ': ', ...coded(message)))
  return [make('div', 'notice', make('p', 'title', 'Look twice'), make('ul', '', ...items))]
}

/** The fields that a signature covers and nothing of one's own binds, as a row; none if everything is bound. */
export function leftToServer({ unbound }: Signable): readonly (readonly [term: string, ...content: (Node | string)[]])[] {
  const names = unbound.map((path) => code(path.split('.').at(-1)!))
  return names.length === 0 ? [] : [['Left to the server', ...names.flatMap((name, at) => (at === 0 ? [name] : [', ', name]))]]
}

/** What `Verified` stands for, in one line: what is bound, and what is not. */
export function verdictOf({ unbound }: Signable): string {
  const bound = '. What moves, to whom, on which chain and the price of gas are as you asked'
  if (unbound.length === 0) return `${bound}. Nothing is left to the server.`
  return `${bound}; ${unbound.length} ${unbound.length === 1 ? 'field is' : 'fields are'} left to the server.`
}

/** Rows of a term and its description. */
export function facts(rows: readonly (readonly [term: string, ...content: (Node | string)[]])[]): HTMLElement {
  const list = make('dl', 'facts')
  for (const [term, ...content] of rows) list.append(make('dt', '', term), make('dd', '', ...content))
  return list
}

/** The cost of an operation, in the coin of the EntryPoint's chain: there it is paid. */
export function cost({ maxCost, certainCost, chain }: SignedOperation): string {
  const certain = `${coins(certainCost, chain)} of it and the verification's gas are charged even if the call fails.`
  return `At most ${coinsOn(maxCost, chain)} for gas. ${certain}`
}
