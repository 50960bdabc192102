// An example of each intent.

import type { Address, Transaction } from 'sendoff'
import facts from '../../../tests/demo/facts.json'
import demo from '../../../tests/demo/request.json'
import { fill, text } from './fields.js'
import { fillTransactions } from './transactions.js'

const [from, person, contract] = [
  facts.userSWA as Address,
  demo.details.recipientWalletAddress as Address,
  demo.details.collectionAddress as Address,
]
/** `setApprovalForAll(person, true)`. */
const approval = `0xa22cb465${person.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}` as const
const TRANSACTIONS: readonly Transaction[] = [
  { from, to: person, data: '0x', value: '0x2386f26fc10000' },
  { from, to: contract, data: '0x1249c58b', value: '0x0' },
  { from, to: contract, data: approval, value: '0x0' },
]

/** Fills the form with an example of the intent that is chosen; the job stays. */
export function fillExample(): void {
  const { details, gasDetails, paymasterData } = demo
  for (const [key, value] of Object.entries(details)) fill(`details.${key}`, value)
  for (const [key, value] of Object.entries(gasDetails)) fill(`gasDetails.${key}`, value)
  fill('paymasterData', paymasterData)
  fill('details.tokenAddress', '')
  if (text('type') === 'TOKEN_TRANSFER') fill('details.amount', '10000000000000000')
  fillTransactions(TRANSACTIONS)
}
