// Names and coins of public chains and tokens, for people to read. The core has no such list.
// Source: https://chainid.network, the registry of EIP-155 chains.

import type { ChainId, Names } from 'sendoff'

/** A chain: its id, its name, and the symbol of its coin, which has 18 decimals. */
const CHAINS: readonly (readonly [id: ChainId, name: string, symbol: string])[] = [
  ['eip155:1', 'Ethereum', 'ETH'],
  ['eip155:10', 'OP Mainnet', 'ETH'],
  ['eip155:56', 'BNB Smart Chain', 'BNB'],
  ['eip155:137', 'Polygon', 'POL'],
  ['eip155:8453', 'Base', 'ETH'],
  ['eip155:42161', 'Arbitrum One', 'ETH'],
  ['eip155:43114', 'Avalanche', 'AVAX'],
  ['eip155:80002', 'Polygon Amoy', 'POL'],
  ['eip155:84532', 'Base Sepolia', 'ETH'],
  ['eip155:11155111', 'Sepolia', 'ETH'],
]

/** The names for the core's sentences: `0.01 POL (10000000000000000) goes to …`. */
export const NAMES: Names = {
  chains: CHAINS.map(([caip2Id, name]) => ({ caip2Id, name })),
  tokens: [
    ...CHAINS.map(([caip2Id, , symbol]) => ({ caip2Id, tokenAddress: '' as const, symbol, decimals: 18 })),
    { caip2Id: 'eip155:137', tokenAddress: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', symbol: 'USDC', decimals: 6 },
  ],
}

/** The name of a chain, or its id if the name is unknown. */
export function nameOf(chain: string): string {
  return NAMES.chains?.find(({ caip2Id }) => caip2Id === chain)?.name ?? chain
}

/** The symbol and the decimals of a token; of a chain's coin if the address is empty. */
export function tokenOf(chain: string, address = '') {
  return NAMES.tokens?.find(({ caip2Id, tokenAddress }) => caip2Id === chain && tokenAddress.toLowerCase() === address.toLowerCase())
}
