// A transfer of the pocket service, from the signature to the receipt.

import { assemble, readReceipt, readRefusal, SendoffError, submission, type Submission, type SubmissionStep, type UserOpReceipt } from 'sendoff'
import { text } from './fields.js'
import { code } from './hex.js'
import { make, show, the, write } from './page.js'
import { answerInPocket, begin, isToldByEstimate, judgeLie, pocket, proceed } from './pocket.js'
import { verified } from './reply.js'
import { coins } from './units.js'

/** How often the bundler is asked for a receipt, and the milliseconds between. */
const [QUESTIONS, PAUSE] = [40, 500]

const button = the<HTMLButtonElement>('sign')
/** The operation that was sent last. */
let spent: string | undefined
let busy = false

/** Connects the button. `newJob` is called after a transfer, because each has a job of its own. */
export function followTransfer(newJob: () => void): void {
  button.addEventListener('click', () => void alone(() => signAndSend(newJob)))
  document.addEventListener('judged', showSigning)
}

/** Makes one transfer at a time. */
export async function alone(make: () => Promise<void>): Promise<void> {
  if (busy) return
  busy = true
  try {
    await make()
  } finally {
    busy = false
  }
}

async function signAndSend(newJob: () => void) {
  const signable = verified()
  if (!signable) return
  const { hash, operation, account } = signable
  spent = hash
  showSigning()
  const step = isToldByEstimate() ? proceed() : begin()
  step('The reply is verified: ', ...account.call.sentences.slice(0, 1))

  const { sandbox, address, sign } = await pocket()
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
        if (read.outcome === 'other') continue
        const paid = read.actualGasCost === undefined ? '' : `, for ${coins(read.actualGasCost, account.operation.chain)}`
        step(`The receipt: ${read.outcome}${paid}.`)
      }
    } catch (error) {
      if (!SendoffError.is(error)) throw error
      step(`This is no receipt of the operation: ${error.message}.`)
      break
    }
  }
  step(END[state.phase] ?? 'It is not settled: ask again later, and send nothing else meanwhile.')
  const done = sandbox.state().operations.find((operation) => operation.hash === hash)
  const is = !done?.executed ? 'open' : done.success ? 'succeeded' : 'failed'
  const says = state.phase in END ? `says \`${state.phase}\`` : 'does not know how it ended'
  if (!isToldByEstimate()) judgeLie(state.phase in END && is !== state.phase, `The page ${says}. In the ledger the transfer is \`${is}\`.`)
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
export function showSigning(): void {
  const isPocket = text('service') === 'pocket'
  show(the('pocket'), isPocket)
  const hash = verified()?.hash
  button.disabled = hash === undefined || hash === spent
  const hint = hash === undefined ? 'There is nothing to sign.' : hash === spent ? 'It was sent. Ask the service for another transfer.' : ''
  const isToken = text('type') === 'TOKEN_TRANSFER'
  the<HTMLButtonElement>('order').disabled = !isToken
  write(the('sign-hint'), hint, isToken ? '' : ' An order is of a token transfer.')
}
