// The parts of an operation that both devices show before a signature.

import { comparisonCode, type Hex, type SignedOperation, type Warning } from 'sendoff'
import { coded } from './hex.js'
import { place } from './labels.js'
import { make } from './page.js'
import { coins } from './units.js'

/** The 24 digits that two devices compare, in six groups. */
export function digits(hash: Hex): HTMLElement {
  const groups = comparisonCode(hash).split(' ')
  return make('p', 'digits', ...groups.flatMap((group) => [make('span', '', group), ' ']))
}

/** The warnings of an operation; empty for an ordinary transfer. */
export function warningList(warnings: readonly Warning[]): HTMLElement[] {
  if (!warnings.length) return []
  const items = warnings.map(({ message, path }) => make('li', '', make('strong', '', place(path)), ': ', ...coded(message)))
  return [make('div', 'notice', make('p', 'title', 'Look twice'), make('ul', '', ...items))]
}

/** Rows of a term and its description. */
export function facts(rows: readonly (readonly [term: string, ...content: (Node | string)[]])[]): HTMLElement {
  const list = make('dl', 'facts')
  for (const [term, ...content] of rows) list.append(make('dt', '', term), make('dd', '', ...content))
  return list
}

/** The cost of an operation, in the coin of the chain of its call. */
export function cost({ maxCost, certainCost }: SignedOperation, chain: string): string {
  const certain = `${coins(certainCost, chain)} of it and the verification's gas are charged even if the call fails.`
  return `At most ${coins(maxCost, chain)} for gas. ${certain}`
}
