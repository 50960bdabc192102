// What both devices show of an operation before it is signed.

import { comparisonCode, type Hex, type SignedOperation, type Warning } from 'sendoff'
import { coded } from './hex.js'
import { make } from './page.js'
import { coins } from './units.js'

/** The 24 digits that two devices compare, in six groups. */
export function digits(hash: Hex): HTMLElement {
  const groups = comparisonCode(hash).split(' ')
  return make('p', 'digits', ...groups.flatMap((group) => [make('span', '', group), ' ']))
}

/** What a person should look at twice; nothing for an ordinary transfer. */
export function warningList(warnings: readonly Warning[]): HTMLElement[] {
  if (!warnings.length) return []
  const items = warnings.map(({ message, path }) => make('li', '', make('code', '', path), ': ', ...coded(message)))
  return [make('div', 'notice', make('p', 'title', 'Look twice'), make('ul', '', ...items))]
}

/** Rows of a term and what is told of it. */
export function facts(rows: readonly (readonly [term: string, ...told: (Node | string)[]])[]): HTMLElement {
  const list = make('dl', 'facts')
  for (const [term, ...told] of rows) list.append(make('dt', '', term), make('dd', '', ...told))
  return list
}

/** What an operation costs, in the coin of the chain of its call. */
export function cost({ maxCost, certainCost }: SignedOperation, chain: string): string {
  const certain = `${coins(certainCost, chain)} of it and the verification's gas are charged even if the call fails.`
  return `At most ${coins(maxCost, chain)} for gas. ${certain}`
}
