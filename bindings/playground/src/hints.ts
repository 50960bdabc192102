// Hints that say what the text in a field means, or where it is not of its kind, what is wanted.

import { readText } from 'sendoff'
import { text } from './fields.js'
import { chainHint, suggestTokens } from './networks.js'
import { prose, the } from './page.js'
import { issuesOf } from './problems.js'
import { grouped } from './signing.js'

/** Brings the hints up to what stands in the form. */
export function hint(): void {
  const chain = text('details.caip2Id')
  the('details.caip2Id-hint').replaceChildren(...prose(chainHint(chain)))
  suggestTokens(chain)
  the('gasDetails.maxFeePerGas-hint').textContent = wei('gasDetails.maxFeePerGas') ?? 'In wei for a unit of gas.'
  the('gasDetails.maxPriorityFeePerGas-hint').textContent =
    wei('gasDetails.maxPriorityFeePerGas') ?? 'In wei for a unit of gas; not above the cap.'
}

function wei(path: string) {
  const quantity = text(path)
  if (issuesOf(() => readText('quantity', quantity)).length) return undefined
  return `${grouped(readText('quantity', quantity).decimal)} wei for a unit of gas.`
}
