// Amounts as people read them: in coins and in gwei. The documents have whole numbers of the smallest unit.

import { tokenOf } from './chains.js'

/** The decimals of the coin of every EVM chain. */
const COIN = 18

/** A whole number of the smallest unit, written in units: `2500000000` with 9 decimals is `2.5`. */
export function inUnits(whole: bigint | string, decimals: number): string {
  const digits = BigInt(whole).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const rest = digits.slice(point).replace(/0+$/, '')
  return BigInt(digits.slice(0, point)).toLocaleString('en') + (rest && `.${rest}`)
}

/** A price of gas. */
export const gwei = (wei: bigint | string) => `${inUnits(wei, 9)} gwei`

/** An amount of a token in one piece: `25 USDC`. Without a known token, units of its contract; or of the chain's own coin. */
export function amountOf(amount: bigint | string, chain: string, token = ''): string {
  const { symbol, decimals } = tokenOf(chain, token) ?? (token ? { symbol: 'units', decimals: 0 } : { symbol: `of the coin of ${chain}`, decimals: COIN })
  return `${inUnits(amount, decimals)}\u00a0${symbol}`
}
