// Problems in a few words, for the person at the field: the package's, and what is different on this page.

import { messageKeys, messages, type Issue, type Messages } from 'sendoff'

const GWEI = 'Enter a number of gwei, such as 2.5.'

const WORDS: Messages = {
  ...messages,
  // Here these are written, not chosen.
  caip2Id: 'Enter a chain: eip155: and its number.',
  nftType: 'Enter a standard, such as ERC721.',
  // These are written in units or gwei.
  amount: 'Enter an amount above zero.',
  value: 'Enter an amount, such as 0.01.',
  maxFeePerGas: GWEI,
  maxPriorityFeePerGas: GWEI,
  'maxPriorityFeePerGas rule': 'Enter a tip that is not above the cap.',
  // What a form alone does not know: the service's facts, the deployment and the token.
  'recipientWalletAddress rule': "This is the user's own wallet. Enter another one.",
  'feePayerAddress rule': "Nobody may pay in the user's place here. Leave it empty.",
  'signs rule': 'Typed data needs version 0.8 or 0.9.',
  chainId: 'Enter a whole number above zero.',
  token: 'Enter the token as you got it.',
}

/** A problem, short. Without a word for it, or for a rule that has none of its own, the core's message. */
export function short(issue: Issue): string {
  const keys = messageKeys({ ...issue, path: issue.path.split('.') })
  const known = issue.code === 'rule' ? keys.filter((key) => key.endsWith(' rule')) : keys.filter((key) => !/^any\b/.test(key))
  return known.map((key) => WORDS[key]).find((words) => words !== undefined) ?? issue.message
}
