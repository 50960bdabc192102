// The demonstration: a client that signs what comes back, with an honest service and with one that lies, and the same client with
// `signable`. Each has a service of its own, and the ledger says what became of the money.

import { maxCost, SendoffError, signable, type Deployment, type EstimateRequest, type Issue } from 'sendoff'
import type { SandboxState } from 'sendoff/sandbox'
import { client, trusting, type Client } from '../../../tests/story/client.mjs'
import { NAMES } from './chains.js'
import { coded, short } from './hex.js'
import { place } from './labels.js'
import { make } from './page.js'
import { KEY, lying, TOKEN } from './pocket.js'
import { amountOf } from './units.js'

/** The same client, which signs only what was asked for. */
const careful = client(({ text, request, deployment }) => signable(request, text, deployment, NAMES))

/** How a transfer ended. */
interface Run {
  /** The reply to the estimate. */
  readonly text: string
  /** Whether the reply lies. */
  readonly lied: boolean
  /** What the client says. */
  readonly outcome: string
  /** Why it refuses, if it does. */
  readonly issue: Issue | undefined
  /** What the ledger says: each movement, and its account. */
  readonly moved: readonly (readonly [what: string, account: string])[]
  /** The highest cost of what was signed, in wei. */
  readonly cost: bigint
}

/** The three transfers, as cards; and the replies of the honest service and of the one that lies. */
export async function play(request: string, deployment: string, lie: string) {
  const runs = [await run(trusting, request, deployment, ''), await run(trusting, request, deployment, lie), await run(careful, request, deployment, lie)] as const
  const [honest, deceived, refusing] = runs
  const isRight = ({ moved, cost }: Run) => !moved.length || (moved.join() === honest.moved.join() && cost <= honest.cost)
  const service = deceived.lied ? 'The service lies.' : 'This lie is for another transfer, so the service is honest.'
  const shown = (who: (Node | string)[], service: string, run: Run) => card(request, who, service, run, isRight(run))
  const cards = [
    shown(['A client that signs what comes back'], 'The service is honest.', honest),
    shown(['The same client'], service, deceived),
    shown(['The same client with ', make('code', '', 'signable')], service, refusing),
  ]
  return { cards, reply: honest.text, lie: deceived.text }
}

async function run(by: Client, request: string, deployment: string, lie: string): Promise<Run> {
  let [now, text, lied] = [Date.now(), '', false]
  let issue: Issue | undefined
  const service = lying(lie, () => now)
  const before = service.state()
  const outcome = await by({
    url: 'https://pocket.invalid',
    fetch: async (url, init) => {
      const response = await service.fetch(url, init)
      lied ||= response.headers.has('x-sandbox-lied')
      if (url.endsWith('/estimate')) text = await response.clone().text()
      return response
    },
    token: TOKEN,
    request: JSON.parse(request) as EstimateRequest,
    deployment: JSON.parse(deployment) as Deployment,
    privateKey: KEY,
    // Nobody waits: the clock is its own.
    sleep: async (ms) => void (now += ms),
    told: (error) => (issue = SendoffError.is(error) ? error.issues[0] : undefined),
  }).catch(() => 'unknown')
  const moved = [...movements(before.ledger, service.state().ledger)]
  return { text, lied, outcome, issue, moved, cost: moved.length ? costOf(text) : 0n }
}

/** What came to each account, and who may take what. */
function* movements(before: SandboxState['ledger'], after: SandboxState['ledger']): Generator<readonly [what: string, account: string]> {
  for (const [at, token] of after.tokens.entries()) {
    const { balances, allowances } = before.tokens[at]!
    for (const [holder, now] of Object.entries(token.balances)) {
      const more = BigInt(now) - BigInt(balances[holder] ?? 0)
      if (more > 0n) yield [`${amountOf(more, token.caip2Id, token.address)} went to`, holder]
    }
    for (const pair of Object.keys(token.allowances)) {
      if (!(pair in allowances)) yield [`All ${token.symbol} may be taken by`, pair.split(' ')[1]!]
    }
  }
  for (const [at, { name, nfts }] of after.collections.entries()) {
    for (const [id, { owners, approved }] of Object.entries(nfts)) {
      const earlier = before.collections[at]?.nfts[id]
      for (const holder of Object.keys(owners)) if (!(holder in (earlier?.owners ?? {}))) yield [`NFT ${id} of ${name} went to`, holder]
      if (approved && approved !== earlier?.approved) yield [`NFT ${id} of ${name} may be taken by`, approved]
    }
  }
}

function card(request: string, who: (Node | string)[], service: string, { outcome, issue, moved, cost }: Run, isRight: boolean): HTMLElement {
  const stranger = (account: string) => (request.toLowerCase().includes(account.slice(2).toLowerCase()) ? ' ' : ' a stranger, ')
  const ledger = moved.flatMap(([what, account]) => [what, stranger(account), short(account), '. '])
  const said = issue ? reasonOf(issue) : [outcome === 'refused' ? 'It cannot read the reply.' : `It says: ${outcome}${cost ? `, for at most ${amountOf(cost, 'eip155:137')}` : ''}.`]
  const lines = [make('p', 'label', ...who), make('p', 'hint', service), make('p', 'state', ...(moved.length ? ledger : ['Nothing moved.'])), make('p', '', ...said)]
  return make('li', isRight ? 'passed' : 'failed', ...lines)
}

function reasonOf({ path, field, expected, found, message }: Issue): (Node | string)[] {
  if (expected === undefined || found === undefined) return coded(`It refuses. ${place(field ?? path)}: ${message}.`)
  return [`It refuses. ${place(field ?? path)}: expected `, short(expected), ', found ', short(found), '.']
}

function costOf(text: string): bigint {
  try {
    return BigInt(maxCost(JSON.parse(text).data.userOps as Parameters<typeof maxCost>[0]))
  } catch {
    return 0n
  }
}
