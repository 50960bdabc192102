// The entry `sendoff/testing`: runs a client against a service that lies, and says which lies it swallowed.

import { own } from './own.js'
import { type Lie, Sandbox, type SandboxState, type SandboxWorld } from './sandbox.js'
import { estimatedIn, type Operation, operationIn, unlike } from './testing/harm.js'
import { shownBy } from './testing/shown.js'
import type { Deployment, EstimateRequest, GasFigures } from './types.js'

export { type Demo, demo } from './testing/demo.js'

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

/** The service of a client. */
export interface ReaderWorld {
  /** The base address of the service. */
  readonly url: string
  /** `fetch` of this world: it reaches the service and nothing else. */
  readonly fetch: typeof globalThis.fetch
  /** The bearer token. */
  readonly token: string
  /** The time in milliseconds. */
  readonly now: () => number
  /** Waits. Its clock is the world's own, so a day takes no time. */
  readonly sleep: (ms: number) => Promise<void>
}

/** What a client needs for one transfer by a user operation. */
export interface ClientWorld extends ReaderWorld {
  /** The address of the bundler, which is the chain node too. */
  readonly rpc: string
  /** The transfer to make. */
  readonly request: EstimateRequest
  /** The deployment, and what to expect of a reply. */
  readonly deployment: Deployment
  /** The gas of this transfer, by a client's own figures: for `expectAround`. */
  readonly gasLimits: Omit<GasFigures, 'maxFeePerGas'>
  /** The key of the user's session: a test key that everybody knows. */
  readonly privateKey: `0x${string}`
}

/** What a client needs for one order of version 1. */
export interface OrderWorld extends ReaderWorld {
  /** The body of `POST /api/v1/transfer/tokens/execute`. */
  readonly order: { readonly network_name: string; readonly token_address: string; readonly quantity: string; readonly recipient_address: string }
}

/**
 * A client: it makes one transfer, and says what became of it. A client that throws says `unknown`. A value that is not an
 * {@link Outcome} is an error of the client.
 */
export type Client = (world: ClientWorld) => Promise<Outcome>

/** A client that makes one order, and waits for its end. */
export type OrderClient = (world: OrderWorld) => Promise<Outcome>

/** A client that reads lists: it returns what it shows, as plain data or as text, or `refused`. One that throws shows nothing. */
export type Reader = (world: ReaderWorld) => Promise<unknown>

/** What a lie did. */
export type Harm =
  /** Something else was moved, or signed to be moved, than was asked for; or something else than the client says. */
  | 'moved'
  /** It cost more than was asked for, or could. */
  | 'cost'
  /** A client that reads lists shows what is not there. */
  | 'shown'
  /** Nothing: the client was not deceived, or only by a readable part that is not signed. */
  | 'none'

/** What became of one lie. */
export interface LieResult {
  readonly lie: string
  /** The kind of the requests that it was told to. */
  readonly at: RequestKind
  /** How the client was deceived; `undefined` if it was not. */
  readonly swallowed: string | undefined
  readonly harm: Harm
  /** Of a client that reads lists: `succeeded` if it shows something. */
  readonly outcome: Outcome
}

/** A kind of requests: `send` is every write, `orders` every read of orders, `lists` every other read. */
export type RequestKind = 'estimate' | 'send' | 'receipt' | 'orders' | 'lists' | 'other'

/** What became of all lies. */
export interface LieReport {
  readonly results: readonly LieResult[]
  /** Those with harm. */
  readonly swallowed: readonly LieResult[]
}

/** The options of {@link againstLies}. */
interface Options<Of> {
  /** What the client is asked to do. */
  readonly of?: Of | undefined
  /** The lies; by default all. */
  readonly names?: readonly string[] | undefined
}

// The real ones: fake timers of a test runner would stop the kit.
const { setInterval, clearInterval } = globalThis

const START = 1_750_000_000_000
const HOUR = 3_600_000
const ORIGIN = 'https://sandbox.invalid'

const CHAIN = 'eip155:137'
const WALLET = '0xdca7f8e25091b927db769337d7efdedbf772bb9a'
const USDC = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
const COLLECTION = '0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5'
const RECIPIENT = '0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2'

const TOKEN = {
  type: 'TOKEN_TRANSFER',
  details: { caip2Id: CHAIN, recipientWalletAddress: RECIPIENT, tokenAddress: USDC, amount: '1000000' },
} as const

const transaction = { from: WALLET, to: USDC, data: `0xa9059cbb${RECIPIENT.slice(2).padStart(64, '0')}${(1_000_000).toString(16).padStart(64, '0')}`, value: '0x0' }

/** What a client is asked to do: the intent, the gas of its call, and what the ledger moves, each to the recipient. */
const TASKS = {
  token: { ...TOKEN, gas: '0x927c0', moves: [[USDC, 1_000_000n]] },
  nft: {
    type: 'NFT_TRANSFER',
    details: { caip2Id: CHAIN, nftId: '56', recipientWalletAddress: RECIPIENT, collectionAddress: COLLECTION, amount: '1', nftType: 'ERC721' },
    gas: '0x927c0',
    moves: [['56', 1n]],
  },
  batch: {
    type: 'RAW_TRANSACTION',
    details: { caip2Id: CHAIN, transactions: [transaction, { ...transaction, to: RECIPIENT, data: '0x', value: '0x64' }] },
    gas: '0xb71b0',
    moves: [[USDC, 1_000_000n], ['', 100n]],
  },
  sponsored: { ...TOKEN, feePayerAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', gas: '0x927c0', moves: [[USDC, 1_000_000n]] },
  order: { ...TOKEN, gas: '0x927c0', moves: [[USDC, 1_000_000n]] },
  lists: { ...TOKEN, gas: '0x927c0', moves: [] },
} as const

type Task = keyof typeof TASKS

const REQUEST = {
  jobId: 'e4fb7f8b-d19d-4785-94af-4b911469a3b0',
  gasDetails: { maxFeePerGas: '0x2255100', maxPriorityFeePerGas: '0x2255100' },
  paymasterData: '0x',
} as const

/** The gas limits of the pocket service are figures; these bounds are what a client would know of its service. */
const EXPECT = {
  userSWA: '0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906',
  gsn: { isRequired: false, requiredNetworks: [] },
  gas: {
    callGasLimit: { least: '0x75300', most: '0xf4240' },
    preVerificationGas: { most: '0x1d4c0' },
    paymasterVerificationGasLimit: { most: '0x3a980' },
    paymasterPostOpGasLimit: { least: '0x1' },
  },
} as const

/**
 * Runs a client against every lie that can be told to its requests: another reply to the estimate, a bundler that errs, timeouts
 * before and after the operation was taken, an order that never ends, a list with everything twice. The pocket service's ledger is the
 * judge: a lie was swallowed if something else was moved than was asked for, if it was moved twice, or if the client says what is not so.
 *
 * `of` is what the client is asked to do: a transfer of a `token` (the default) or an `nft`, a `batch` of transactions, a transfer that is
 * `sponsored`, an `order` of version 1, or to read `lists`. Lies with other names than `names` are left out.
 *
 * @throws Error if the client fails the service without a lie: a client that does nothing is deceived by nobody.
 * @throws TypeError for a client that is not a function, an empty list of names, a name that is not a lie, or one that none of the
 * client's requests can be told.
 *
 * @example
 * ```ts
 * test('the client is not deceived', async () => {
 *   const { swallowed } = await againstLies(client)
 *   assert.deepEqual(swallowed, [])
 * })
 * ```
 */
export function againstLies(client: Client, options?: Options<'token' | 'nft' | 'batch' | 'sponsored'>): Promise<LieReport>
export function againstLies(client: OrderClient, options: Options<'order'> & { readonly of: 'order' }): Promise<LieReport>
export function againstLies(client: Reader, options: Options<'lists'> & { readonly of: 'lists' }): Promise<LieReport>
export async function againstLies(client: (world: ClientWorld & OrderWorld) => Promise<unknown>, options: Options<Task> = {}): Promise<LieReport> {
  const { of = 'token', names } = own(options)
  if (!Object.hasOwn(TASKS, of)) throw new TypeError(`expected one of ${Object.keys(TASKS).join(', ')} in \`of\`, found ${JSON.stringify(of)}`)
  if (typeof client !== 'function') throw new TypeError(`expected a client, which is a function, found ${named(client)}`)
  if (names !== undefined && !(Array.isArray(names) && names.length > 0)) throw new TypeError(`expected a list of names of lies in \`names\`, found ${named(names)}`)
  const honest = await run(client, of)
  const wrong = judged(of, honest, honest).swallowed ?? unsuccessful(honest)
  if (wrong !== undefined) throw new Error(`the client fails the service that does not lie: ${wrong}`)

  const results: LieResult[] = []
  for (const lie of Sandbox.lies().filter(({ name }) => names?.includes(name) ?? true)) {
    for (const at of honest.asked.filter((kind) => isFor(lie, kind))) {
      const ran = await run(client, of, lie, at)
      if (ran.told) results.push({ lie: lie.name, at, ...judged(of, ran, honest, lie), outcome: ran.outcome })
    }
  }
  const untold = names?.find((name) => !results.some(({ lie }) => lie === name))
  if (untold !== undefined) throw new TypeError(`expected a lie that is told to a request of this client, found ${JSON.stringify(untold)}`)
  return { results, swallowed: results.filter(({ harm }) => harm !== 'none') }
}

/** `true` if a lie can be told to requests of this kind. Orders are lists too. */
function isFor({ on }: Lie, kind: RequestKind): boolean {
  if (on === 'lists') return kind === 'lists' || kind === 'orders'
  return on === 'every request' || (on === 'writes' ? 'send' : on) === kind
}

type Ran = Awaited<ReturnType<typeof run>>

const OUTCOMES: readonly unknown[] = ['succeeded', 'failed', 'refused', 'unknown'] satisfies Outcome[]

/** A value, for a sentence: at most 64 characters of it. */
function named(value: unknown): string {
  const { text, unseen = text } = shownBy(value)
  return unseen.length > 64 ? `${unseen.slice(0, 64)}…` : unseen
}

/** An error, for a sentence. */
function reason(error: unknown): string {
  try {
    return String(error)
  } catch {
    return named(error)
  }
}

/** Requests and sleeps of a client that still ends; 50 ms each are eight minutes. */
const MOST_WAITS = 10_000

/** The real time without a request or a sleep after which a client never ends; at most twice as long. */
const MOST_IDLE_MS = 10_000

/** Runs a client. A lie for every request is told once, and every other lie to each request of the kind. */
async function run(client: (world: ClientWorld & OrderWorld) => Promise<unknown>, of: Task, lie?: Lie, at?: RequestKind) {
  const ran = {
    told: false,
    /** `true` if the client waited for more than an hour, asked without an end, or neither asked nor waited. */
    hung: false,
    /** The kinds of its requests, in their order. */
    asked: new Set<RequestKind>(),
    /** `true` if one of its requests succeeded. */
    answered: false,
    /** The last status of a request that failed. */
    refused: undefined as number | undefined,
    sent: 0,
  }
  /** The operations that it sent, and those that an honest service would have had it sign. */
  const [operations, honest]: [Operation[], Operation[]] = [[], []]
  let [now, waits, seen] = [START, 0, 0]
  let end: (outcome: Outcome) => void
  const ended = new Promise<Outcome>((resolve) => (end = resolve))
  const hang = (): void => {
    ran.hung = true
    end('unknown')
  }
  const sleep = async (ms: number): Promise<void> => {
    now += ms
    waits += 1
    if (now <= START + HOUR && waits < MOST_WAITS && !ran.hung) return
    hang()
    // An error could be caught, by a client that tries again for ever.
    await new Promise<never>(() => {})
  }
  const onAnswer: SandboxWorld['onAnswer'] = (_request, _now, { headers }) => {
    ran.told ||= lie !== undefined && headers['x-sandbox-lied'] === lie.name
  }
  const sandbox = new Sandbox({ limits: null, deployment: { sponsorshipEnabled: of === 'sponsored' } }, { now: () => now, sleep, onAnswer })
  const before = sandbox.state()
  const fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    // Also before a request that cannot be sent, which a client may try for ever.
    await sleep(50)
    const request = new Request(input, init)
    const kind = await kindOf(request)
    ran.asked.add(kind)
    if (kind === 'send') {
      ran.sent += 1
      operations.push(...some(operationIn(await request.clone().text())))
    }
    if (lie?.on === 'estimate' && kind === at) {
      // What a service that does not lie answers to the same request.
      const other = await Sandbox.load(sandbox.save(), { now: () => now }).fetch(request.clone())
      honest.push(...some(estimatedIn(await other.text())))
    }
    if (lie && kind === at && !(lie.on === 'every request' && ran.told)) request.headers.set('x-sandbox-lie', lie.name)
    else if (kind === 'send' && lie?.needsFailure) request.headers.set('x-sandbox-lie', 'fails-later')
    const response = await sandbox.fetch(request)
    if (response.ok) ran.answered = true
    else ran.refused = response.status
    return response
  }
  const { gas, moves, ...intent } = TASKS[of]
  const world = {
    url: ORIGIN,
    rpc: `${ORIGIN}/rpc`,
    fetch,
    request: structuredClone<EstimateRequest>({ ...REQUEST, ...intent }),
    order: { network_name: 'POLYGON', token_address: USDC, quantity: '1', recipient_address: RECIPIENT },
    deployment: deployed(before),
    gasLimits: { callGasLimit: gas, verificationGasLimit: '0x61a80', preVerificationGas: '0x186a0', paymasterVerificationGasLimit: '0x30d40', paymasterPostOpGasLimit: '0x30d40' },
    token: 'sandbox-token',
    privateKey: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
    now: () => now,
    sleep,
  } as const
  // It keeps the process alive.
  const watch = setInterval(() => (waits === seen ? hang() : (seen = waits)), MOST_IDLE_MS)
  const { said, threw }: { said: unknown; threw: string | undefined } = await Promise.race([(async () => client(world))(), ended])
    .then((said) => ({ said, threw: undefined }), (error) => ({ said: 'unknown', threw: reason(error) }))
  clearInterval(watch)
  const isOutcome = OUTCOMES.includes(said)
  /** The value that was returned in place of an outcome. */
  const unsaid = isOutcome || of === 'lists' ? undefined : named(said)
  const outcome = isOutcome ? (said as Outcome) : of === 'lists' ? 'succeeded' : 'unknown'
  const shown = shownBy(said)
  const then = sandbox.state()
  // A day later what was accepted is executed, whether the client waits or not.
  sandbox.answer({ method: 'GET', target: '/api/v1/supported/networks' }, START + 24 * HOUR)
  const found = operations.map((operation) => unlike(operation, honest))
  /** What one of the operations that it sent does other than an honest service's. */
  const harm = found.includes('moved') ? 'moved' : found.find((harm) => harm !== undefined)
  return { ...ran, asked: [...ran.asked], outcome, shown, unsaid, threw, unlike: harm, before, then, after: sandbox.state() }
}

const some = <Value>(value: Value | undefined): Value[] => (value === undefined ? [] : [value])

/** The kind of a request, by its method, its path, and the method in its body. */
async function kindOf(request: Request): Promise<RequestKind> {
  const { pathname } = new URL(request.url)
  if (pathname === '/rpc') {
    const body = await request.clone().text()
    if (body.includes('"eth_sendUserOperation"')) return 'send'
    return body.includes('"eth_getUserOperationReceipt"') ? 'receipt' : 'other'
  }
  if (pathname.endsWith('/estimate')) return 'estimate'
  if (request.method === 'GET') return /order|status|activity/.test(pathname) ? 'orders' : 'lists'
  return /execute|transfer|mint/.test(pathname) ? 'send' : 'other'
}

function deployed({ deployment }: SandboxState): Deployment {
  const { entryPoint, chainId, version, gasFeeOrder, jobManager, paymaster, clientSwa: clientSWA, gsnEnabled, sponsorshipEnabled } = deployment
  const policies = { gsnEnabled, sponsorshipEnabled }
  return { entryPoint, chainId, version, gasFeeOrder, jobManager, paymaster, clientSWA, expect: { ...EXPECT, policies } }
}

/** What has this text, for a sentence. */
const NOTHING = new Map([['undefined', 'undefined'], ['null', 'null'], ['{}', 'Object'], ['[]', 'Array']])

/** Why a reader of lists has shown nothing that a lie could change; `undefined` if it has. */
function unread(ran: Ran): string | undefined {
  const { outcome, shown, asked, answered, refused } = ran
  if (outcome !== 'succeeded') return undefined
  if (asked.length === 0) return 'the client made no request'
  if (!answered && refused !== undefined) return refusal(ran)
  const nothing = shown.unseen ?? NOTHING.get(shown.text)
  return nothing && `expected what the client shows, found ${nothing}, which is nothing as JSON`
}

/** What the service refused; `undefined` if it refused nothing. */
function refusal({ answered, refused }: Ran): string | undefined {
  return refused === undefined ? undefined : `the service refuses ${answered ? 'one of ' : ''}its requests: ${refused}`
}

/** Why a client has not succeeded without a lie; `undefined` if it has. */
function unsuccessful(ran: Ran): string | undefined {
  const { outcome, threw } = ran
  if (outcome === 'succeeded') return undefined
  const reasons = [threw === undefined ? `the client says \`${outcome}\`` : `the client throws ${threw}`, refusal(ran)]
  return reasons.filter((reason) => reason !== undefined).join('; ')
}

/** How a client was deceived, and with what harm. */
type Judgement = Pick<LieResult, 'swallowed' | 'harm'>

function judged(of: Task, ran: Ran, honest: Ran, lie?: Lie): Judgement {
  const { outcome, shown, unsaid, hung, sent, after } = ran
  const harm = of === 'lists' ? 'shown' : 'moved'
  if (hung) return { swallowed: 'the client never ends', harm }
  if (unsaid !== undefined) return { swallowed: `expected one of ${OUTCOMES.map((word) => `\`${word}\``).join(', ')}, found ${unsaid}`, harm }
  if (of === 'lists') {
    if (lie === undefined) return judgement(unread(honest), harm)
    const isShown = outcome === 'succeeded' && shown.text !== honest.shown.text
    return judgement(isShown ? 'the client shows what is not there' : undefined, harm)
  }
  const isSigned = lie?.on === 'estimate' && sent > 0
  if (isSigned && ran.unlike) return { swallowed: 'the client signed and sent it', harm: ran.unlike }
  const byLedger = misled(of, ran)
  if (byLedger.harm !== 'none' || !isSigned) return byLedger
  if (!lie.mayBeIgnored) return { swallowed: 'the client signed and sent it, and only a part lied that is not signed', harm: 'none' }
  return judgement(after.operations.length === 0 ? 'the client sent something that the bundler refused' : undefined, 'none')
}

const judgement = (swallowed: string | undefined, harm: Harm): Judgement => ({ swallowed, harm: swallowed === undefined ? 'none' : harm })

/** What the ledger says of what was moved, of its cost, and of what the client says. */
function misled(of: Task, { outcome, sent, before, then, after }: Ran): Judgement {
  const times = ({ ledger }: SandboxState): number | undefined => [0, 1, 2].find((times) => shownBy(ledger).text === shownBy(transferred(of, before.ledger, times)).text)
  const moved = times(after)
  if (moved === undefined) return { swallowed: 'something else was moved than was asked for', harm: 'moved' }
  if (moved > 1 && sent > 1) return { swallowed: 'the client sent it twice, and it was moved twice', harm: 'moved' }
  const cost = BigInt(before.deployment.deposit) - BigInt(after.deployment.deposit)
  if (cost > MOST_COST) return { swallowed: `the client paid ${cost} wei for it`, harm: 'cost' }

  const isTrue = outcome === 'unknown' || (outcome === 'succeeded' ? moved === 1 && times(then) === 1 : moved === 0)
  const found = moved === 0 ? 'nothing was moved' : outcome !== 'succeeded' ? 'it was moved' : moved === 1 ? 'it was not moved yet' : 'it was moved twice'
  return judgement(isTrue ? undefined : `the client says \`${outcome}\`, and ${found}`, 'moved')
}

/** Twice what the honest operation can cost. */
const MOST_COST = 2n * 450_000n * 0x2255100n

/** The ledger after this number of the transfers that were asked for. */
function transferred(of: Task, ledger: SandboxState['ledger'], times: number): SandboxState['ledger'] {
  const next = structuredClone(ledger)
  for (const [asset, amount] of TASKS[of].moves) {
    const token = next.tokens.find(({ address, caip2Id }) => address === asset && caip2Id === CHAIN)
    const nfts = next.collections.find(({ address }) => address === COLLECTION)?.nfts ?? {}
    const holders: Record<string, string> = token?.balances ?? own(nfts)[asset]?.owners ?? {}
    const add = (holder: string, more: bigint): void => {
      const sum = BigInt(own(holders)[holder] ?? 0) + more
      if (sum === 0n) delete holders[holder]
      else holders[holder] = String(sum)
    }
    add(WALLET, -amount * BigInt(times))
    add(RECIPIENT.toLowerCase(), amount * BigInt(times))
  }
  return next
}
