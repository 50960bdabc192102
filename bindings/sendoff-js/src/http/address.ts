// The address of a caller behind proxies, by the gateway's rules. Each proxy appends the address of its own caller to a header. Read
// from the right, an entry is believed as long as a trusted proxy wrote it: the first address that is not a trusted proxy is the
// caller's.

import { builtin, type Incoming } from './node.js'
import { checked, type Rule } from './options.js'
import { headersOf } from './trace.js'

/** The proxies in front of a host, which name its callers. */
export interface Proxies {
  /** Their addresses, or networks such as `10.0.0.0/8`; `[]` if callers connect to this host. */
  readonly addresses: readonly string[]
  /** The header that they write. Any other header is the caller's own text. */
  readonly header: 'x-forwarded-for' | 'forwarded'
}

const isListOfTexts: Rule = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? undefined : 'a list of addresses and networks'
const isHeader: Rule = (value) => (value === 'x-forwarded-for' || value === 'forwarded' ? undefined : '`x-forwarded-for` or `forwarded`')

/**
 * Returns a function from a request of Node to the address of its caller.
 *
 * @throws TypeError for what is no address or network, and for a network of every address.
 *
 * @internal
 */
export function callerBy(proxies: Proxies): (request: Incoming) => string | undefined {
  const { addresses, header } = checked(proxies, { addresses: isListOfTexts, header: isHeader }, 'addresses', 'header')
  const { BlockList, isIP } = builtin('node:net')
  const trusted = new BlockList()
  for (const text of addresses) {
    const [address = '', bits, ...more] = text.split('/')
    const family = isIP(address)
    const most = family === 4 ? 32 : 128
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN
    if (family === 0 || more.length > 0 || !(length >= 1 && length <= most)) {
      throw new TypeError(`expected an address or a network such as \`10.0.0.0/8\` in \`proxies.addresses\`, found \`${text}\``)
    }
    trusted.addSubnet(address, length, `ipv${family as 4 | 6}`)
  }
  const isTrusted = (address: string): boolean => trusted.check(address, `ipv${isIP(address) as 4 | 6}`)
  const addressIn = header === 'forwarded' ? element : node

  return (request) => {
    const peer = request.socket?.remoteAddress
    let caller = peer && plain(peer)
    for (const entry of fromTheRight(headersOf(request)(header) ?? '')) {
      if (caller === undefined || !isTrusted(caller)) return caller
      const address = addressIn(entry.trim(), isIP)
      if (address === undefined) return caller
      caller = plain(address)
    }
    return caller
  }
}

/** An IPv4 address that is written as one of IPv6. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

/** The entries of a list, the last one first. A comma in quotes does not separate; quotes are counted from the right. */
function fromTheRight(list: string): string[] {
  const entries: string[] = []
  let [end, isQuoted] = [list.length, false]
  for (let at = list.length - 1; at >= 0; at -= 1) {
    if (list[at] === '"') isQuoted = !isQuoted
    if (list[at] !== ',' || isQuoted) continue
    entries.push(list.slice(at + 1, end))
    end = at
  }
  return list === '' ? [] : [...entries, list.slice(0, end)]
}

type IsIP = (text: string) => number

/** The address in an element of `Forwarded` (RFC 7239); undefined for an obfuscated name or another spelling. */
function element(text: string, isIP: IsIP): string | undefined {
  for (const pair of text.split(';')) {
    const [, name = '', value = ''] = /^\s*([^=]*)=(.*?)\s*$/s.exec(pair) ?? []
    if (name.toLowerCase() !== 'for') continue
    const unquoted = value.startsWith('"') ? /^"(.*)"$/s.exec(value)?.[1] : value
    return unquoted === undefined ? undefined : node(unquoted, isIP)
  }
  return undefined
}

/** An address with or without a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`. */
function node(text: string, isIP: IsIP): string | undefined {
  if (isIP(text) !== 0) return text
  const bracketed = /^\[([^\]]*)\](:\d{1,5})?$/.exec(text)?.[1]
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : undefined
  const v4 = /^([\d.]+):\d{1,5}$/.exec(text)?.[1]
  return v4 !== undefined && isIP(v4) === 4 ? v4 : undefined
}
