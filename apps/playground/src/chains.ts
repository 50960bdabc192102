// Names and coins of public chains, for people to read. The core has no such list.
// Source: https://chainid.network, the registry of EIP-155 chains.

import type { ChainId, Names } from 'sendoff'

export interface Coin {
  readonly symbol: string
  readonly decimals: number
}

interface Chain {
  readonly name: string
  readonly coin: Coin
}

const ether: Coin = { symbol: 'ETH', decimals: 18 }
const pol: Coin = { symbol: 'POL', decimals: 18 }

export const CHAINS: ReadonlyMap<string, Chain> = new Map([
  ['eip155:1', { name: 'Ethereum', coin: ether }],
  ['eip155:10', { name: 'OP Mainnet', coin: ether }],
  ['eip155:56', { name: 'BNB Smart Chain', coin: { symbol: 'BNB', decimals: 18 } }],
  ['eip155:137', { name: 'Polygon', coin: pol }],
  ['eip155:8453', { name: 'Base', coin: ether }],
  ['eip155:42161', { name: 'Arbitrum One', coin: ether }],
  ['eip155:43114', { name: 'Avalanche', coin: { symbol: 'AVAX', decimals: 18 } }],
  ['eip155:80002', { name: 'Polygon Amoy', coin: pol }],
  ['eip155:84532', { name: 'Base Sepolia', coin: ether }],
  ['eip155:11155111', { name: 'Sepolia', coin: ether }],
])

/** The names for the core's sentences: `0.01 POL (10000000000000000) goes to …`. */
export const NAMES: Names = {
  chains: [...CHAINS].map(([caip2Id, { name }]) => ({ caip2Id: caip2Id as ChainId, name })),
  tokens: [
    ...[...CHAINS].map(([caip2Id, { coin }]) => ({ caip2Id: caip2Id as ChainId, tokenAddress: '', ...coin })),
    { caip2Id: 'eip155:137', tokenAddress: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', symbol: 'USDC', decimals: 6 },
  ],
}
