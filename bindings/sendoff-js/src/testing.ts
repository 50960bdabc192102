// The entry `sendoff/testing`: runs a client against a service that lies, and says which lies it swallowed.

import { type Lie, Sandbox, type SandboxState, type SandboxWorld } from './sandbox.js'
import type { Deployment, EstimateRequest } from './types.js'

/** What a client says of its transfer in the end. */
export type Outcome =
  /** The transfer was made. */
  | 'succeeded'
  /** It was not made, and will not be. */
  | 'failed'
  /** The client signed or sent nothing, because something was wrong. */
  | 'refused'
  /** The client does not know. */
  | 'unknown'

/** What a client needs for one transfer. */
export interface ClientWorld {
  /** The base address of the service. */
  readonly url: string
  /** The address of the bundler, which is the chain node too. */
  readonly rpc: string
  /** `fetch` of this world: it reaches the service and nothing else. */
  readonly fetch: typeof globalThis.fetch
  /** The transfer to make. */
  readonly request: EstimateRequest
  /** The deployment, and what to expect of a reply. */
  readonly deployment: Deployment
  /** The bearer token. */
  readonly token: string
  /** The key of the user's session: a test key that everybody knows. */
  readonly privateKey: `0x${string}`
  /** The time in milliseconds. */
  readonly now: () => number
  /** Waits. Its clock is the world's own, so a day takes no time. */
  readonly sleep: (ms: number) => Promise<void>
}

/** A client: it makes one transfer, and says what became of it. A client that throws says `unknown`. */
export type Client = (world: ClientWorld) => Promise<Outcome>

/** What became of one lie. */
export interface LieResult {
  readonly lie: string
  /** The request that it was told to: each of a kind, or the first one of this name. */
  readonly at: string
  /** `undefined` if the client was not deceived. */
  readonly swallowed: string | undefined
  readonly outcome: Outcome
}

/** What became of all lies. */
export interface LieReport {
  /** What is wrong without a lie; `undefined` if nothing is. */
  readonly honest: string | undefined
  readonly results: readonly LieResult[]
  readonly swallowed: readonly LieResult[]
}

/** The gas of this service's transfers, by a client's own figures: for `expectAround`. */
export const gasLimits = {
  callGasLimit: '0x2bf20',
  verificationGasLimit: '0x1d4c0',
  preVerificationGas: '0xea60',
  paymasterVerificationGasLimit: '0x11940',
  paymasterPostOpGasLimit: '0x1',
} as const

const START = 1_750_000_000_000
const HOUR = 3_600_000
const ORIGIN = 'https://sandbox.invalid'
/** The kinds of requests of a transfer, in its order. */
const KINDS = ['estimate', 'send', 'receipt'] as const
type Kind = (typeof KINDS)[number] | 'other'

/** The transfer that is asked for. */
const DETAILS = {
  caip2Id: 'eip155:137',
  recipientWalletAddress: '0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2',
  tokenAddress: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
  amount: '1000000',
}

const REQUEST: EstimateRequest = {
  type: 'TOKEN_TRANSFER',
  jobId: 'e4fb7f8b-d19d-4785-94af-4b911469a3b0',
  gasDetails: { maxFeePerGas: '0x2255100', maxPriorityFeePerGas: '0x2255100' },
  paymasterData: '0x',
  details: DETAILS,
}

/** The gas limits of the pocket service are figures; these bounds are what a client would know of its service. */
const EXPECT = {
  userSWA: '0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906',
  policies: { gsnEnabled: false, sponsorshipEnabled: false },
  gsn: { isRequired: false, requiredNetworks: [] },
  gas: { callGasLimit: { least: '0x186a0', most: '0x7a120' }, preVerificationGas: { most: '0x186a0' }, paymasterPostOpGasLimit: { least: '0x1' } },
}

/**
 * Runs a client against every lie that can be told to a transfer: another reply to the estimate, a bundler that errs, timeouts
 * before and after the operation was taken, an operation that never ends. The pocket service's ledger is the judge: a lie was
 * swallowed if something else was moved than was asked for, if it was moved twice, or if the client says what is not so.
 *
 * @example
 * ```ts
 * test('the client is not deceived', async () => {
 *   const { honest, swallowed } = await againstLies(client)
 *   assert.equal(honest, undefined)
 *   assert.deepEqual(swallowed, [])
 * })
 * ```
 */
export async function againstLies(client: Client, names?: readonly string[]): Promise<LieReport> {
  const told = Sandbox.lies().filter((lie) => places(lie).length > 0)
  for (const name of names ?? []) {
    if (!told.some((lie) => lie.name === name)) throw new TypeError(`expected a lie that is told to a transfer, found ${JSON.stringify(name)}`)
  }
  const honest = await run(client)
  const results: LieResult[] = []
  for (const lie of told) {
    if (names && !names.includes(lie.name)) continue
    for (const at of places(lie)) {
      const ran = await run(client, lie, at)
      if (ran.told) results.push({ lie: lie.name, at, swallowed: judged(lie, ran), outcome: ran.outcome })
    }
  }
  const wrong = judged(undefined, honest) ?? (honest.outcome === 'succeeded' ? undefined : `the client says \`${honest.outcome}\``)
  return { honest: wrong, results, swallowed: results.filter(({ swallowed }) => swallowed !== undefined) }
}

/** Where a lie is told: to each request of its kind, or once to the first of each kind. */
function places({ on }: Lie): string[] {
  if (on === 'every request') return [...KINDS]
  if (on === 'orders' || on === 'lists') return []
  return [on === 'estimate' || on === 'receipt' ? on : 'send']
}

interface Ran {
  readonly outcome: Outcome
  readonly told: boolean
  /** `true` if the client waited for more than an hour. */
  readonly hung: boolean
  readonly before: SandboxState
  readonly after: SandboxState
}

async function run(client: Client, lie?: Lie, at?: string): Promise<Ran> {
  let [now, told, hung] = [START, false, false]
  const sleep = async (ms: number): Promise<void> => {
    now += ms
    if (now <= START + HOUR) return
    hung = true
    throw new Error('an hour has passed, and the client still waits')
  }
  const onAnswer: SandboxWorld['onAnswer'] = (_request, _now, { headers }) => {
    told ||= headers['x-sandbox-lied'] !== undefined
  }
  const sandbox = new Sandbox({ limits: null }, { now: () => now, sleep, onAnswer })
  const before = sandbox.state()
  const fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const isOnce = lie?.on === 'every request'
    if (lie && !(isOnce && told) && (await kindOf(request)) === at) request.headers.set('x-sandbox-lie', lie.name)
    now += 50
    return sandbox.fetch(request)
  }
  const world: ClientWorld = {
    url: ORIGIN,
    rpc: `${ORIGIN}/rpc`,
    fetch,
    request: structuredClone(REQUEST),
    deployment: deployment(before),
    token: 'sandbox-token',
    privateKey: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
    now: () => now,
    sleep,
  }
  let outcome: Outcome
  try {
    outcome = await client(world)
  } catch {
    outcome = 'unknown'
  }
  // What was accepted is executed, whether the client waits or not.
  sandbox.answer({ method: 'GET', target: '/api/v1/supported/networks' }, START + 24 * HOUR)
  return { outcome, told, hung, before, after: sandbox.state() }
}

/** The kind of a request, by its path and the method in its body. */
async function kindOf(request: Request): Promise<Kind> {
  const { pathname } = new URL(request.url)
  if (pathname === '/api/oc/v1/estimate') return 'estimate'
  if (pathname === '/api/oc/v1/execute') return 'send'
  const body = pathname === '/rpc' ? await request.clone().text() : ''
  if (body.includes('"eth_sendUserOperation"')) return 'send'
  return body.includes('"eth_getUserOperationReceipt"') ? 'receipt' : 'other'
}

function deployment({ deployment }: SandboxState): Deployment {
  const { entryPoint, chainId, version, gasFeeOrder, jobManager, paymaster, clientSwa: clientSWA } = deployment
  return { entryPoint, chainId, version, gasFeeOrder, jobManager, paymaster, clientSWA, expect: EXPECT }
}

/** Why a client was deceived; `undefined` if it was not. */
function judged(lie: Lie | undefined, { outcome, hung, before, after }: Ran): string | undefined {
  if (hung) return 'the client never ends'
  if (lie?.on === 'estimate' && after.operations.length > 0) return 'the client signed and sent it'
  const moved = [0, 1].find((times) => JSON.stringify(after.ledger) === JSON.stringify(transferred(before.ledger, times)))
  if (moved === undefined) return 'something else was moved than was asked for'
  const cost = BigInt(before.deployment.deposit) - BigInt(after.deployment.deposit)
  if (cost > MOST_COST) return `the client paid ${cost} wei for it`
  if (outcome === 'succeeded' && moved === 0) return 'the client says `succeeded`, and nothing was moved'
  if (outcome !== 'succeeded' && outcome !== 'unknown' && moved === 1) return `the client says \`${outcome}\`, and it was moved`
  return undefined
}

/** Twice what the honest operation can cost. */
const MOST_COST = 2n * 450_000n * 0x2255100n

/** The ledger after this number of the transfers that were asked for. */
function transferred(ledger: SandboxState['ledger'], times: number): SandboxState['ledger'] {
  const { recipientWalletAddress, tokenAddress, amount, caip2Id } = DETAILS
  const tokens = ledger.tokens.map((token) => {
    if (times === 0 || token.address !== tokenAddress || token.caip2Id !== caip2Id) return token
    const balances: Record<string, string> = { ...token.balances }
    const add = (holder: string, more: bigint): void => {
      balances[holder] = String(BigInt(balances[holder] ?? '0') + more)
    }
    add('0xdca7f8e25091b927db769337d7efdedbf772bb9a', -BigInt(amount))
    add(recipientWalletAddress.toLowerCase(), BigInt(amount))
    // The ledger has its holders in order.
    return { ...token, balances: Object.fromEntries(Object.entries(balances).sort(([a], [b]) => (a < b ? -1 : 1))) }
  })
  return { ...ledger, tokens }
}
