// The pocket service in this page, `sendoff/sandbox`, and what its wallet holds. It is loaded when it is chosen.

import { userOpHash, type Hex } from 'sendoff'
import type { Lie, Sandbox, SandboxReply, SandboxState } from 'sendoff/sandbox'
import { fill, text } from './fields.js'
import { code, short } from './hex.js'
import { make, prose, the, write } from './page.js'
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

/** What a wallet knows of the service beside its deployment. It binds what a request leaves open. */
const EXPECTED = {
  policies: { gsnEnabled: false, sponsorshipEnabled: true },
  gsn: { isRequired: false, requiredNetworks: [] },
  gas: {
    // A batch has that of each transaction.
    callGasLimit: { least: '0x75300', most: '0x1312d00' },
    verificationGasLimit: { least: '0x4e200', most: '0x75300' },
    preVerificationGas: { most: '0x1d4c0' },
    paymasterVerificationGasLimit: { least: '0x27100', most: '0x3a980' },
    paymasterPostOpGasLimit: { least: '0x1', most: '0x3a980' },
  },
}

/** Lies by the requests that they are told to: a title, and what to do then. */
const TOLD_TO: { readonly [on in Lie['on']]: readonly [title: string, next: string] } = {
  estimate: ['In the reply to the estimate', 'Ask the service.'],
  writes: ['When a transfer is sent or ordered', 'Sign and send, or make an order.'],
  send: ['By the bundler', 'Sign and send.'],
  receipt: ['In the receipt', 'Sign and send.'],
  orders: ['In the state of an order', 'Make an order.'],
  lists: ['In a list', 'Make an order.'],
  'every request': ['To any request, once', 'Ask the service, sign and send, or make an order.'],
}

let opened: Promise<Pocket> | undefined
let userSWA = ''
/** The lies that were told since {@link begin}, and the last request. */
let told: string[] = []
let last = ''

const lie = the<HTMLSelectElement>('lie')

/** Says what the chosen lie does. */
export function followPocket(): void {
  lie.addEventListener('change', () => {
    begin()
    const on = toldTo()
    write(the('lie-hint'), on ? `${lie.selectedOptions[0]!.dataset.about} ${TOLD_TO[on][1]}` : '')
  })
}

/** Whether the lie was told by the estimate, which is judged before anything is signed. */
export const isToldByEstimate = () => told.length > 0 && toldTo() === 'estimate'

/** The requests that the chosen lie is told to. */
const toldTo = () => lie.selectedOptions[0]!.dataset.on as Lie['on'] | undefined

/** What to expect of each reply, if this service answers. */
export const expectations = () => (text('service') === 'pocket' && userSWA ? { userSWA, ...EXPECTED } : undefined)

/** Shows the service, and fills the form with a transfer of its user. */
export async function openPocket(): Promise<void> {
  // The lists of the form are honest.
  lie.value = ''
  lie.dispatchEvent(new Event('change'))
  const { sandbox } = await pocket()
  const { deployment } = sandbox.state()
  userSWA = userOf(sandbox.state()).swa
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
  const { method, signal } = request
  const body = method === 'GET' ? null : await request.text()
  // A question that is asked again: a lie to any request was told to the first one.
  const question = `${method} ${request.url} ${body}`
  const isRepeated = question === last
  last = question
  const names = lie.selectedOptions[0]!.dataset.names
  if (names && !(isRepeated && toldTo() === 'every request')) headers.set('x-sandbox-lie', names)
  const response = await sandbox.fetch(request.url, { method, headers, body, signal })
  showState(sandbox.state())
  return response
}

/** Begins a transfer or an estimate: nothing was told yet. Returns what adds a step. */
export function begin(): (...content: (Node | string)[]) => void {
  told = []
  the('told').className = ''
  the('told').replaceChildren()
  return proceed()
}

/** Begins to send what the estimate said: what it was told, and the verdict on that, stay. Returns what adds a step. */
export function proceed(): (...content: (Node | string)[]) => void {
  last = ''
  the('steps').replaceChildren()
  return (...content) => the('steps').append(make('li', '', ...content))
}

/** Says whether the lie deceived this page; nothing without a lie. */
export function judgeLie(isDeceived: boolean, why: string): void {
  if (!lie.value) return
  const verdict = make('strong', '', isDeceived ? 'Deceived' : 'Not deceived')
  the('told').className = told.length === 0 ? 'hint' : isDeceived ? 'verdict refused' : 'verdict'
  write(the('told'), ...(told.length ? [verdict, ...prose(`. ${why}`)] : prose(`\`${lie.value}\` was not told: it is for another request, or another transfer.`)))
}

/** The verdict on a lie about an estimate; `hash` is what may be signed. An honest reply is the judge. */
export async function judgeEstimate(request: string, isFailure: boolean, hash: Hex | undefined): Promise<void> {
  // Most lies are told later.
  if (!told.length && toldTo() !== 'estimate') return
  if (isFailure) return judgeLie(false, 'No success could be read: there is nothing to sign.')
  if (hash === undefined) return judgeLie(false, 'Sendoff refuses the reply: there is nothing to sign.')
  const { sandbox } = await pocket()
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const honest = JSON.parse(sandbox.answer({ method: 'POST', target: '/api/oc/v1/estimate', headers, body: request }).body)
  const { entryPoint, chainId, version, gasFeeOrder } = sandbox.state().deployment
  const isHonest = hash === userOpHash(honest.data.userOps, { entryPoint, chainId, version, gasFeeOrder })
  judgeLie(!isHonest, isHonest ? 'The reply lies beside what is signed.' : 'Something else can be signed.')
}

/** The service, with a key that is made for it. */
export function pocket(): Promise<Pocket> {
  return (opened ??= (async () => {
    const [{ Sandbox }, key] = await Promise.all([import('sendoff/sandbox'), import('./key.js')])
    const { address, sign } = key.made()
    const onAnswer = (_request: object, _now: number, { headers }: SandboxReply) => {
      if (headers['x-sandbox-lied']) told.push(headers['x-sandbox-lied'])
    }
    const deployment = { sponsorshipEnabled: true }
    const sandbox = new Sandbox({ limits, sessionKey: address, deployment }, { onAnswer })
    for (const [on, [label]] of Object.entries(TOLD_TO)) {
      const group = Object.assign(make('optgroup', ''), { label })
      for (const { name, about, needsFailure } of Sandbox.lies().filter((lie) => lie.on === on)) {
        const option = make('option', '', name)
        Object.assign(option.dataset, { about, on, names: needsFailure ? `fails-later,${name}` : name })
        group.append(option)
      }
      lie.append(group)
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
      ['Sent by', code(user.swa as Hex)],
      ['Signed by', code(user.sessionKey as Hex)],
      ['Balances', ...lines(tokens)],
      ['NFTs', ...lines(nfts)],
    ]),
  )
  const item = (look: string, state: string, words: string) => make('li', look, make('span', 'state', state), make('span', '', words))
  const sent = operations.map(({ hash, executed, success, reason }) => {
    const [look, state] = !executed ? ['answered', 'waits'] : success ? ['passed', 'executed'] : ['failed', 'failed']
    return item(look!, state!, `User operation ${short(hash)}${reason && `: ${reason}`}`)
  })
  const ordered = orders.map((order) => {
    const { id, kind, network, status, reason } = order
    const look = status === 'SUCCESS' ? 'passed' : status === 'CREATED' ? 'answered' : 'failed'
    // The state has the two times of an order, and its end.
    const isRunning = status === 'CREATED' && 'running' in order && Number(order.running) <= Date.now()
    return item(look, isRunning ? 'RUNNING' : status, `Order ${id.slice(0, 8)}…, ${kind} on ${network}${reason && `: ${reason}`}`)
  })
  const all = [...sent, ...ordered].reverse()
  the('operations').replaceChildren(...(all.length ? all : [make('li', '', 'None yet.')]))
}
