// The pocket service in this page, `sendoff/sandbox`, and what its wallet holds. It is loaded when it is chosen.

import type { Hex } from 'sendoff'
import type { Sandbox, SandboxState } from 'sendoff/sandbox'
import { fill, text } from './fields.js'
import { code } from './hex.js'
import { make, the, write } from './page.js'
import { facts } from './signing.js'
import { fillTransactions } from './transactions.js'
import { inUnits } from './units.js'

/** A small window, so that a person sees it fill up and end. */
const limits = { limit: 5, windowMs: 10_000 }
const TOKEN = 'sandbox-token'

interface Pocket {
  readonly sandbox: Sandbox
  readonly address: Hex
  readonly sign: (hash: Hex) => Hex
}

let opened: Promise<Pocket> | undefined

const lie = the<HTMLSelectElement>('lie')

/** Says what the chosen lie does. */
export function followPocket(): void {
  lie.addEventListener('change', () => write(the('lie-hint'), lie.selectedOptions[0]!.dataset.about ?? ''))
}

/** Shows the service, and fills the form with a transfer of its user. */
export async function openPocket(): Promise<void> {
  const { sandbox } = await pocket()
  const { deployment } = sandbox.state()
  const { clientSwa, ...where } = deployment
  for (const [key, value] of Object.entries({ ...where, clientSWA: clientSwa, signs: '' })) {
    if (document.getElementById(`where.${key}`)) fill(`where.${key}`, String(value))
  }
  fill('type', 'TOKEN_TRANSFER')
  await fillPocket()
  showState(sandbox.state())
}

/** Fills in what its user has, for the chosen intent. What goes to anybody's service stays: recipient and fees. */
export async function fillPocket(): Promise<void> {
  const { sandbox } = await pocket()
  const state = sandbox.state()
  const { wallet } = userOf(state)
  const { caip2Id, address } = state.ledger.tokens.find(({ symbol }) => symbol === 'USDC')!
  fill('paymasterData', '0x')
  fill('details.caip2Id', caip2Id)
  fill('details.tokenAddress', address)
  fill('details.amount', '1000000')
  if (text('type') === 'NFT_TRANSFER') {
    const owned = state.ledger.collections.flatMap(({ caip2Id, address, nfts }) =>
      Object.entries(nfts).flatMap(([nftId, { owners }]) => (owners[wallet] ? [{ caip2Id, collectionAddress: address, nftId }] : [])),
    )
    for (const [key, value] of Object.entries({ ...owned[0]!, amount: '1' })) fill(`details.${key}`, value)
  }
  if (text('type') === 'RAW_TRANSACTION') fillTransactions([{ from: wallet, to: text('details.recipientWalletAddress'), data: '0x', value: '0.01' }])
}

/** Answers a request of this page. */
export async function answerInPocket(request: Request): Promise<Response> {
  const { sandbox } = await pocket()
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${TOKEN}`)
  if (lie.value) headers.set('x-sandbox-lie', lie.value)
  const { method, signal } = request
  const body = method === 'GET' ? null : await request.text()
  const response = await sandbox.fetch(request.url, { method, headers, body, signal })
  showState(sandbox.state())
  return response
}

/** The service, with a key that is made for it. */
export function pocket(): Promise<Pocket> {
  return (opened ??= (async () => {
    const [{ Sandbox }, key] = await Promise.all([import('sendoff/sandbox'), import('./key.js')])
    const { address, sign } = key.made()
    const sandbox = new Sandbox({ limits, sessionKey: address })
    const lies = Sandbox.lies().filter(({ on }) => ['estimate', 'send', 'receipt'].includes(on))
    for (const { name, about } of lies) {
      const option = make('option', '', name)
      option.dataset.about = about
      lie.append(option)
    }
    return { sandbox, address, sign }
  })())
}

function userOf({ users }: SandboxState) {
  return Object.values(users).find(({ sessionKey }) => sessionKey !== '')!
}

function showState(state: SandboxState) {
  const { ledger, operations, orders } = state
  const user = userOf(state)
  const tokens = ledger.tokens.flatMap(({ caip2Id, symbol, decimals, balances }) => {
    const amount = balances[user.wallet]
    return amount === undefined ? [] : [`${inUnits(amount, decimals)} ${symbol} on ${caip2Id}`]
  })
  const nfts = ledger.collections.flatMap(({ caip2Id, name, nfts }) =>
    Object.entries(nfts).flatMap(([id, { owners }]) => (owners[user.wallet] ? [`NFT ${id} of ${name} on ${caip2Id}`] : [])),
  )
  const lines = (things: readonly string[]) => things.flatMap((thing, at) => (at ? [make('br', ''), thing] : [thing]))
  the('wallet').replaceChildren(
    facts([
      ['Assets are at', code(user.wallet as Hex)],
      ['Signs by', code(user.sessionKey as Hex)],
      ['Balances', ...lines(tokens)],
      ['NFTs', ...lines(nfts)],
    ]),
  )
  const item = (state: string, words: string) => make('li', state, make('span', 'state', state), make('span', '', words))
  const sent = operations.map(({ hash, executed, success, reason }) =>
    item(!executed ? 'answered' : success ? 'counted' : 'refused', `${hash.slice(0, 10)}…: ${!executed ? 'waits for a block' : success ? 'executed' : `failed, ${reason}`}`),
  )
  const ordered = orders.map(({ kind, network, status }) => item('answered', `${kind} on ${network}: ${status}`))
  const all = [...sent, ...ordered].reverse()
  the('operations').replaceChildren(...(all.length ? all : [make('li', '', 'None yet.')]))
}
