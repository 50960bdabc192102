// Addresses and hashes for people: in groups of four digits, with line breaks between groups.

import { make } from './page.js'

const HEX = /^0x[\da-f]{40,}$/i

/** The first and the last four digits of an address, a hash or another long id, with the whole as its title. */
export function short(id: string): HTMLElement {
  const [head, tail] = HEX.test(id) ? [6, 4] : [4, 4]
  const shown = id.length > 20 ? `${id.slice(0, head)}…${id.slice(-tail)}` : id
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
  return sentence.split(/`([^`]*)`|(0x[\da-f]{40,})/i).map((part = '', at) => (at % 3 ? part && code(part) : part))
}

/** `0x` and the first four digits, then four each. The text between them stays one word when it is copied. */
function groups(hex: string): string[] {
  return [hex.slice(0, 6), ...(hex.slice(6).match(/.{1,4}/g) ?? [])]
}
