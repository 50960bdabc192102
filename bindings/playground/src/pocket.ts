// The pocket service in this page, `sendoff/sandbox`: its wallet, and a transfer from the signature to the receipt. It is loaded when
// it is chosen.

import { assemble, readReceipt, readRefusal, SendoffError, submission, type Hex, type Submission, type SubmissionStep, type UserOpReceipt } from 'sendoff'
import type { Sandbox, SandboxState } from 'sendoff/sandbox'
import { fill, text } from './fields.js'
import { code } from './hex.js'
import { make, show, the, write } from './page.js'
import { verified } from './reply.js'
import { facts } from './signing.js'
import { coins, inUnits } from './units.js'

/** A small window, so that a person sees it fill up and end. */
const limits = { limit: 5, windowMs: 10_000 }
/** How often the bundler is asked for a receipt, and the milliseconds between. */
const [QUESTIONS, PAUSE] = [40, 500]
const TOKEN = 'sandbox-token'

interface Pocket {
  readonly sandbox: Sandbox
  readonly address: Hex
  readonly sign: (hash: Hex) => Promise<Hex>
}

let opened: Promise<Pocket> | undefined
/** The operation that was sent last. */
let spent: string | undefined

const lie = the<HTMLSelectElement>('lie')
const button = the<HTMLButtonElement>('sign')

/** Connects the controls. `newJob` is called after a transfer, because each has a job of its own. */
export function followPocket(newJob: () => void): void {
  button.addEventListener('click', () => void signAndSend(newJob))
  lie.addEventListener('change', () => write(the('lie-hint'), lie.selectedOptions[0]!.dataset.about ?? ''))
  document.addEventListener('judged', showButton)
}

/** Shows the service, and fills the form with a transfer of its user. */
export async function openPocket(): Promise<void> {
  const { sandbox } = await pocket()
  const { deployment, ledger } = sandbox.state()
  const { clientSwa, ...where } = deployment
  for (const [key, value] of Object.entries({ ...where, clientSWA: clientSwa, signs: '' })) {
    if (document.getElementById(`where.${key}`)) fill(`where.${key}`, String(value))
  }
  const token = ledger.tokens.find(({ symbol }) => symbol === 'USDC')!
  fill('type', 'TOKEN_TRANSFER')
  fill('details.caip2Id', token.caip2Id)
  fill('details.tokenAddress', token.address)
  fill('details.amount', '1000000')
  fill('paymasterData', '0x')
  showState(sandbox.state())
  showButton()
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
function pocket(): Promise<Pocket> {
  return (opened ??= (async () => {
    const [{ Sandbox }, { generatePrivateKey, privateKeyToAccount }] = await Promise.all([import('sendoff/sandbox'), import('viem/accounts')])
    const account = privateKeyToAccount(generatePrivateKey())
    const sandbox = new Sandbox({ limits, sessionKey: account.address })
    const lies = Sandbox.lies().filter(({ on }) => ['estimate', 'send', 'receipt'].includes(on))
    for (const { name, about } of lies) {
      const option = make('option', '', name)
      option.dataset.about = about
      lie.append(option)
    }
    return { sandbox, address: account.address, sign: (hash: Hex) => account.signMessage({ message: { raw: hash } }) }
  })())
}

async function signAndSend(newJob: () => void) {
  const signable = verified()
  if (!signable) return
  const { hash, operation, account } = signable
  spent = hash
  showButton()
  const steps = the('steps')
  const step = (...content: (Node | string)[]) => steps.append(make('li', '', ...content))
  steps.replaceChildren()
  step('The reply is verified: ', ...account.call.sentences.slice(0, 1))

  const { address, sign } = await pocket()
  const signed = assemble(operation, await sign(hash))
  step('Signed by the key ', code(address), '.')
  let state: Submission = submission(null, { type: 'sent', jobId: account.call.jobId, hash }).state
  const take = (taken: SubmissionStep) => {
    state = submission(state, taken).state
  }

  const answer = await rpc('eth_sendUserOperation', [signed, account.operation.entryPoint])
  const { error } = answer
  if (typeof answer.result === 'string') take({ type: 'answered', reply: { status: 'success', data: answer.result } })
  else if (error) take({ type: 'answered', reply: { status: 'error', error } })
  else take({ type: 'brokenOff' })
  const why = error ? ` The bundler says: ${error.message} (${readRefusal(error).at}).` : ''
  step('Sent to the bundler. The submission is ', make('code', '', state.phase), '.', why)

  for (let asked = 0; asked < QUESTIONS && !['succeeded', 'failed'].includes(state.phase); asked += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
    const { result: receipt } = await rpc('eth_getUserOperationReceipt', [hash])
    try {
      if (receipt) take({ type: 'receipt', receipt: receipt as UserOpReceipt })
      if (receipt && state.phase !== 'accepted') {
        const read = readReceipt(hash, receipt)
        if (read.outcome !== 'other') step(`The receipt: ${read.outcome}, for ${coins(read.actualGasCost, account.operation.chain)}.`)
      }
    } catch (error) {
      if (!SendoffError.is(error)) throw error
      step(`This is no receipt of the operation: ${error.message}.`)
      break
    }
  }
  step(END[state.phase] ?? 'It is not settled: ask again later, and send nothing else meanwhile.')
  newJob()
}

const END: { readonly [phase: string]: string } = {
  succeeded: 'The transfer is made. The wallet shows it.',
  failed: 'The call failed, and nothing moved. The fee was paid.',
}

/** Calls a method of the pocket service's bundler. A connection that breaks has no answer. */
async function rpc(method: string, params: readonly unknown[]): Promise<{ result?: unknown; error?: { code: number; message: string } }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  try {
    const signal = AbortSignal.timeout(5_000)
    const response = await answerInPocket(new Request('/rpc', { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal }))
    return await response.json()
  } catch {
    return {}
  }
}

/** The button is there for a reply of the pocket service that is verified, once. */
function showButton() {
  const isPocket = text('service') === 'pocket'
  show(the('pocket'), isPocket)
  const hash = verified()?.hash
  button.disabled = hash === undefined || hash === spent
  const hint = hash === undefined ? 'There is nothing to sign.' : hash === spent ? 'It was sent. Ask the service for another transfer.' : ''
  write(the('sign-hint'), hint)
}

function showState({ users, ledger, operations, orders }: SandboxState) {
  const user = Object.values(users).find(({ sessionKey }) => sessionKey !== '')!
  const tokens = ledger.tokens.flatMap(({ caip2Id, symbol, decimals, balances }) => {
    const amount = balances[user.wallet]
    return amount === undefined ? [] : [`${inUnits(amount, decimals)} ${symbol} on ${caip2Id}`]
  })
  const nfts = ledger.collections.flatMap(({ name, nfts }) =>
    Object.entries(nfts).flatMap(([id, { owners }]) => (owners[user.wallet] ? [`NFT ${id} of ${name}`] : [])),
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
