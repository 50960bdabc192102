// What both devices show of an operation before it is signed.

import { comparisonCode, type Hex, type SignedOperation, type Warning } from 'sendoff'
import { make } from './page.js'

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

/** A sentence of the core, with its addresses and its parts in backticks as code. */
export function coded(sentence: string): (Node | string)[] {
  return sentence.split(/`([^`]*)`|(0x[\da-f]{40,})/i).map((part = '', at) => (at % 3 ? make('code', '', part) : part))
}

/** What an operation costs. */
export function cost({ maxCost, certainCost }: SignedOperation): string {
  const certain = `${grouped(certainCost)} wei of it and the verification's gas are charged even if the call fails.`
  return `At most ${grouped(maxCost)} wei for gas. ${certain}`
}

/** A decimal, its digits in groups of three. */
export const grouped = (decimal: string) => BigInt(decimal).toLocaleString('en')
