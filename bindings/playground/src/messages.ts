// Short messages for problems at fields. Without an entry here, the core's message is shown.

import type { Issue } from 'sendoff'

const ADDRESS = 'an address: 0x and 40 characters'
const GWEI = 'a number of gwei, such as 2.5'
const BYTES = 'bytes: 0x and an even number of digits'

/** The expected content of a field, by its name. */
const WANTED: { readonly [name: string]: string } = {
  recipientWalletAddress: ADDRESS,
  collectionAddress: ADDRESS,
  tokenAddress: ADDRESS,
  feePayerAddress: ADDRESS,
  entryPoint: ADDRESS,
  jobManager: ADDRESS,
  paymaster: ADDRESS,
  clientSWA: ADDRESS,
  from: ADDRESS,
  to: ADDRESS,
  caip2Id: 'a chain: eip155: and its number',
  nftId: 'an id: a UUID or a number',
  nftType: 'a standard, such as ERC721',
  amount: 'an amount above zero',
  value: 'an amount, such as 0.01',
  maxFeePerGas: GWEI,
  maxPriorityFeePerGas: GWEI,
  jobId: 'a UUID',
  paymasterData: BYTES,
  data: BYTES,
  chainId: 'a whole number above zero',
  token: 'the token as you got it',
}

/** The messages for rules across fields, by the field at which they are reported. */
const RULES: { readonly [name: string]: string } = {
  amount: 'An ERC721 token is one piece. Enter 1.',
  maxPriorityFeePerGas: 'Enter a tip that is not above the cap.',
  feePayerAddress: "Nobody may pay in the user's place here. Leave it empty.",
  recipientWalletAddress: "This is the user's own wallet. Enter another one.",
  signs: 'Typed data needs version 0.8 or 0.9.',
}

/** The short message for a problem. */
export function short({ path, code, message }: Issue): string {
  const name = path.split('.').at(-1)!
  if (code === 'rule') return RULES[name] ?? message
  if (message.endsWith('checksum is wrong')) return 'Check the letters: the checksum does not match.'
  return name in WANTED ? `Enter ${WANTED[name]}.` : message
}
