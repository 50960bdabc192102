// The networks and tokens that the access token is allowed: suggestions for the form, and names for chains.

import { call, type Answer } from './gateway.js'
import { sentence } from './notice.js'
import { make, prose, the, write } from './page.js'

interface Network {
  readonly network_name: string
  readonly chain_id: string
}

interface Token {
  readonly token_name: string
  readonly token_address: string
  readonly network_name: string
}

let asked = ''
let networks: readonly Network[] = []
let tokens: readonly Token[] = []

/** Asks the gateway what the access token is allowed. */
export async function ask(token: string): Promise<void> {
  asked = token
  networks = tokens = []
  write(the('token-state'), token ? 'Asking what it is allowed…' : '')
  if (!token) return
  const answers = await Promise.all([call('supportedNetworks', token), call('supportedTokens', token)])
  // Another token stands there by now.
  if (asked !== token) return
  const [allowed, whitelisted] = answers
  networks = records<Network>(allowed, 'network')
  tokens = records<Token>(whitelisted, 'tokens')
  write(the('token-state'), ...prose(failure(allowed) ?? `Accepted, with ${counted(networks, 'network')}.`))
  the('networks').replaceChildren(...networks.map(({ chain_id, network_name }) => option(chain_id, network_name)))
}

/** Suggests the tokens on a chain. */
export function suggestTokens(chain: string): void {
  const there = tokens.filter((token) => token.token_address && token.network_name === nameOf(chain))
  the('tokens').replaceChildren(...there.map(({ token_address, token_name }) => option(token_address, token_name)))
}

/** What is known of a chain, for the hint at its field. */
export function chainHint(chain: string): string {
  if (!networks.length) return 'As `eip155:` and its number.'
  if (!chain) return `The access token is allowed ${counted(networks, 'network')}.`
  return nameOf(chain) ?? 'None of the networks that the access token is allowed.'
}

/** A chain, with its name where that is known. */
export function chainInWords(chain: string): string {
  const name = nameOf(chain)
  return name ? `${name} (\`${chain}\`)` : `\`${chain}\``
}

function nameOf(chain: string) {
  return networks.find(({ chain_id }) => chain_id === chain)?.network_name
}

function records<T>(answer: Answer, key: string): readonly T[] {
  if ('trouble' in answer || answer.reply.status === 'error') return []
  return (answer.reply.data as { [key: string]: T[] } | null)?.[key] ?? []
}

function failure(answer: Answer) {
  if ('trouble' in answer) return answer.trouble
  return answer.reply.status === 'error' ? sentence(answer.reply) : undefined
}

function counted(things: readonly unknown[], thing: string) {
  return things.length === 1 ? `one ${thing}` : `${things.length} ${thing}s`
}

function option(value: string, label: string) {
  return Object.assign(make('option', ''), { value, label })
}
