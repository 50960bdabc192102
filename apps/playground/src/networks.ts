// The networks and tokens that are enabled for the caller: suggestions for the form, and names of chains.

import { CHAINS } from './chains.js'
import { sentence } from './notice.js'
import { make, prose, the, write } from './page.js'
import { call, isGateway, type Answer } from './service.js'

/** A record of the service's list. */
interface Network {
  readonly network_name: string
  /** The number of the chain. */
  readonly chain_id: string
}

interface Token {
  readonly token_name: string
  readonly token_address: string
  readonly network_name: string
}

let questions = 0
let networks: readonly Network[] = []
let tokens: readonly Token[] = []

/** Requests the caller's networks and tokens from the service; `token` is the access token of the gateway. */
export async function ask(token: string): Promise<void> {
  const question = ++questions
  networks = tokens = []
  const silent = isGateway() && !token
  write(the('token-state'), silent ? '' : 'Asking what it is allowed…')
  if (silent) return
  const answers = await Promise.all([call('supportedNetworks'), call('supportedTokens')])
  // Another service or token was chosen meanwhile.
  if (question !== questions) return
  const [allowed, whitelisted] = answers
  networks = records<Network>(allowed, 'network')
  tokens = records<Token>(whitelisted, 'tokens')
  write(the('token-state'), ...prose(failure(allowed) ?? `Accepted, with ${counted(networks, 'network')}.`))
  the('networks').replaceChildren(...networks.map((network) => option(idOf(network), network.network_name)))
}

/** Suggests the tokens on a chain. */
export function suggestTokens(chain: string): void {
  const there = tokens.filter((token) => token.token_address && token.network_name === networkOf(chain))
  the('tokens').replaceChildren(...there.map(({ token_address, token_name }) => option(token_address, token_name)))
}

/** The known facts about a chain, for the hint at its field. */
export function chainHint(chain: string): string {
  if (!networks.length) return 'As `eip155:` and its number.'
  if (!chain) return `Allowed: ${counted(networks, 'network')}.`
  const isAllowed = networks.some((network) => idOf(network) === chain)
  return isAllowed ? nameOf(chain) : 'Not among the networks that the service allows.'
}

/** A chain, with its name if it is known. */
export function chainInWords(chain: string): string {
  const name = nameOf(chain)
  return name === chain ? `\`${chain}\`` : `${name} (\`${chain}\`)`
}

/** The name of a chain, or its id if the name is unknown. */
export function nameOf(chain: string): string {
  return CHAINS.get(chain)?.name ?? networkOf(chain) ?? chain
}

/** The service's own name of a chain. */
export function networkOf(chain: string): string | undefined {
  return networks.find((network) => idOf(network) === chain)?.network_name
}

/** The id of a chain in a request (CAIP-2). */
function idOf({ chain_id }: Network) {
  return `eip155:${chain_id}`
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
