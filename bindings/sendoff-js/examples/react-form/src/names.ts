import type { ChainId, Names } from 'sendoff/sign'

/** What this page knows of a chain: the sentences before a signature show it beside the raw values. */
export const CHAIN: ChainId = 'eip155:80002'

/** The tokens that can be chosen. The first one is the coin of the chain. */
export const TOKENS = [
  { tokenAddress: '', symbol: 'POL', decimals: 18 },
  { tokenAddress: '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582', symbol: 'USDC', decimals: 6 },
] as const

export const names: Names = {
  chains: [{ caip2Id: CHAIN, name: 'Polygon Amoy' }],
  tokens: TOKENS.map((token) => ({ caip2Id: CHAIN, ...token })),
}

/** The decimals of a token; `undefined` if this page does not know it. */
export const decimalsOf = ({ tokenAddress }: { readonly tokenAddress: string }) =>
  TOKENS.find((token) => token.tokenAddress === tokenAddress)?.decimals
