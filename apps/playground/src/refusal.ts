// The reason of a refusal in words: what in the reply is not what was asked for.

import { make } from './page.js'
import type { Judgement } from './rules.js'

/** Parts of a transfer that call data contains. */
const PARTS: { readonly [field: string]: string } = {
  recipientWalletAddress: 'recipient',
  to: 'recipient',
  amount: 'amount',
  value: 'amount',
  nftId: 'NFT',
  collectionAddress: 'collection',
  tokenAddress: 'token',
  caip2Id: 'chain',
}

/** `The bytes to sign name another recipient.`, and the names of the rules in small print. */
export function refusal(failed: readonly Judgement[]): { readonly reason: string; readonly rules: HTMLElement } {
  const [first, ...others] = failed.map(reasonOf)
  const more = others.length > 1 ? `${others.length} other rules are broken too.` : others.join('')
  const names = failed.flatMap(({ line: { name } }, at) => (at ? [', ', make('code', '', name)] : [make('code', '', name)]))
  const rules = make('small', 'broken', failed.length > 1 ? 'Rules: ' : 'Rule: ', ...names)
  return { reason: [first, more].filter(Boolean).join(' '), rules }
}

function reasonOf({ line: { name, broken, reads }, findings }: Judgement): string {
  const isExpected = findings.every(({ path }) => path.startsWith('data.') && !reads.includes(path))
  if (name === 'deployment' && isExpected) return 'The reply is not what the wallet expects of its service.'
  if (name !== 'call-data') return broken
  const parts = findings.map(({ field }) => PARTS[field?.split('.').at(-1) ?? ''])
  const [part] = parts
  return part && parts.every((other) => other === part) ? `The bytes to sign name another ${part}.` : broken
}
