// An example of each intent.

import type { Transaction } from 'sendoff'
import facts from '../../../tests/demo/facts.json'
import demo from '../../../tests/demo/request.json'
import { fill, text } from './fields.js'
import { fillTransactions } from './transactions.js'
import { inUnits } from './units.js'

const [from, person, contract] = [facts.userSWA, demo.details.recipientWalletAddress, demo.details.collectionAddress]
/** `setApprovalForAll(person, true)`. */
const approval = `0xa22cb465${person.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
/** Values are in coins, as in the form. */
const TRANSACTIONS: readonly { [Key in keyof Transaction]: string }[] = [
  { from, to: person, data: '0x', value: '0.01' },
  { from, to: contract, data: '0x1249c58b', value: '0' },
  { from, to: contract, data: approval, value: '0' },
]

/** Fills the form with an example of the chosen intent, and keeps the job. */
export function fillExample(): void {
  const { details, gasDetails, paymasterData } = demo
  for (const [key, value] of Object.entries(details)) fill(`details.${key}`, value)
  for (const [key, value] of Object.entries(gasDetails)) fill(`gasDetails.${key}`, inUnits(BigInt(value), 9))
  fill('paymasterData', paymasterData)
  fill('details.tokenAddress', '')
  if (text('type') === 'TOKEN_TRANSFER') fill('details.amount', '0.01')
  fillTransactions(TRANSACTIONS)
}
