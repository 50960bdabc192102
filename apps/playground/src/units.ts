// Amounts as people write them: in coins and in gwei. The documents have whole numbers of the smallest unit.

import { CHAINS, type Coin } from './chains.js'

const GWEI = 9
const DECIMAL = /^(0|[1-9]\d*)(?:\.(\d+))?$/

/** A whole number of the smallest unit, written in units: `2500000000` with 9 decimals is `2.5`. */
export function inUnits(whole: bigint | string, decimals: number): string {
  const digits = BigInt(whole).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const rest = digits.slice(point).replace(/0+$/, '')
  return grouped(digits.slice(0, point)) + (rest && `.${rest}`)
}

/** Reads units back; `undefined` if the text is not a decimal, or finer than the smallest unit. */
export function fromUnits(text: string, decimals: number): bigint | undefined {
  const [, whole, rest = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined || rest.length > decimals) return undefined
  return BigInt(whole + rest.padEnd(decimals, '0'))
}

/** A quantity from units. A text that is not a decimal is kept, and the core reports it. */
export function quantity(text: string, decimals: number): string {
  const whole = fromUnits(text, decimals)
  return whole === undefined ? text : `0x${whole.toString(16)}`
}

/** A quantity from gwei, likewise. */
export const quantityOfGwei = (text: string) => quantity(text, GWEI)

/** A price of gas. */
export const gwei = (wei: bigint | string) => `${inUnits(wei, GWEI)} gwei`

/** The coin of a chain; wei if the chain is unknown. */
export function coinOf(chain: string): Coin {
  return CHAINS.get(chain)?.coin ?? { symbol: 'wei', decimals: 0 }
}

/** The decimals of the coin of every EVM chain. */
const COIN = 18

/** An amount of a chain's own coin. */
export function coins(wei: bigint | string, chain: string): string {
  const coin = CHAINS.get(chain)?.coin
  return coin ? `${inUnits(wei, coin.decimals)} ${coin.symbol}` : `${inUnits(wei, COIN)} of the chain's coin`
}

/** A cost on a chain, for a sentence: in the chain's own coin, with the chain if the coin is unknown. */
export function coinsOn(wei: bigint | string, chain: string): string {
  const amount = coins(wei, chain)
  // A raw figure is long, and breaks on a small screen.
  return CHAINS.has(chain) ? amount.replace(' ', '\u00a0') : `${amount} on ${chain}`
}

/** A decimal, its digits in groups of three. */
export const grouped = (decimal: string) => BigInt(decimal).toLocaleString('en')
