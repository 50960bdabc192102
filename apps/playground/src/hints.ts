// Hints with the meaning of a field's text, or with the required form if the text is invalid.

import { readText } from 'sendoff'
import { coinOfAmount, request } from './documents.js'
import { text } from './fields.js'
import { chainHint, suggestTokens } from './networks.js'
import { prose, the } from './page.js'
import { issuesOf } from './problems.js'
import { grouped } from './units.js'

/** Updates the hints to the form's content. */
export function hint(): void {
  const chain = text('details.caip2Id')
  the('details.caip2Id-hint').replaceChildren(...prose(chainHint(chain)))
  suggestTokens(chain)
  const { gasDetails, details } = JSON.parse(request())
  the('gasDetails.maxFeePerGas-hint').textContent = wei(gasDetails.maxFeePerGas) ?? 'For a unit of gas.'
  the('gasDetails.maxPriorityFeePerGas-hint').textContent = wei(gasDetails.maxPriorityFeePerGas) ?? 'Not above the cap.'
  the('details.amount-hint').textContent = amountHint(details.amount)
}

function wei(quantity: string) {
  if (issuesOf(() => readText('quantity', quantity)).length) return undefined
  return `${grouped(readText('quantity', quantity).decimal)} wei for a unit of gas.`
}

function amountHint(amount = '') {
  if (text('type') === 'NFT_TRANSFER') return 'Pieces; an ERC721 token is one.'
  const coin = coinOfAmount()
  if (!coin?.decimals) return 'In the smallest unit of the token.'
  const isAmount = issuesOf(() => readText('amount', amount)).length === 0
  return isAmount ? `In ${coin.symbol}: ${grouped(amount)} wei.` : `In ${coin.symbol}.`
}
