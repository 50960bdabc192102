// Addresses and hashes for people: in groups of four digits, with line breaks between groups.

import { make } from './page.js'

const HEX = /^0x[\da-f]{40,}$/i

/** The first and the last four digits of an address or a hash; other text is unchanged. */
export const short = (text: string) => (HEX.test(text) ? `${text.slice(0, 6)}…${text.slice(-4)}` : text)

/** A short address for a sentence, with the whole address as its title. */
export function shortAddress(address: string): HTMLElement {
  return Object.assign(make('code', 'address', short(address)), { title: address })
}

/** The id of an NFT for a sentence: a UUID or a long number by its ends, with the whole id as its title. */
export function shortId(id: string): HTMLElement {
  const shown = id.length > 20 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id
  return Object.assign(make('code', 'address', shown), { title: id })
}

/** A value as code. An address or a hash is in groups, and groups that differ from those of `other` are marked. */
export function code(value: string, other?: string): HTMLElement {
  if (!HEX.test(value)) return make('code', '', value)
  const others = other === undefined ? undefined : groups(other)
  const differs = (group: string, at: number) => others && others[at]?.toLowerCase() !== group.toLowerCase()
  const parts = groups(value).flatMap((group, at) => [
    make('span', differs(group, at) ? 'other' : '', group),
    document.createElement('wbr'),
  ])
  return make('code', 'hex', ...parts)
}

/** A sentence with its addresses, and its parts in backticks, as code. */
export function coded(sentence: string): (Node | string)[] {
  return sentence.split(/`([^`]*)`|(0x[\da-f]{40,})/i).map((part = '', at) => (at % 3 ? code(part) : part))
}

/** `0x` and the first four digits, then four each. The text between them stays one word when it is copied. */
function groups(hex: string): string[] {
  return [hex.slice(0, 6), ...(hex.slice(6).match(/.{1,4}/g) ?? [])]
}
