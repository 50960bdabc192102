// Transfers of a server that signs by itself, such as one that pays out: `flow` with functions of this program. Any number of
// processes may call `transfer` for one intent, at once and after a crash: the chain executes one operation.

import { operationPath } from 'sendoff'
import { flow } from 'sendoff/flow'

/** How often a call asks the bundler before it ends as `open`, and the milliseconds between two questions. */
const [QUESTIONS, PAUSE] = [36, 5_000]

/**
 * Makes `transfer(intent, request)`, which resolves to the outcome of `flow`. `intent` is your own name of the transfer, such as the
 * order's number, and `store(intent)` is one of the stores beside this file. `approve(signable)` is your own rule, and `sign(signable)`
 * your key. With `nonce`, which asks a chain node of your own, and `validUntil`, a transfer can end as `expired`. `raise(fees)` may refuse
 * higher fees.
 */
export function transfers(world) {
  const { service, bundler, token, deployment, names, store, approve, sign, nonce, raise, validUntil } = world
  const { fetch = globalThis.fetch, sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) } = world

  const post = (url, document, headers) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(document) })

  const call = async (method, params) => {
    const response = await post(bundler, { jsonrpc: '2.0', id: 1, method, params })
    return response.json()
  }

  return (intent, request) => {
    let questions = 0
    const program = {
      estimate: async (request) => {
        const response = await post(service + operationPath('estimate', {}), request, { authorization: `Bearer ${token}` })
        return { text: await response.text(), retryAfter: response.headers.get('retry-after') }
      },
      show: approve,
      sign,
      send: (operation) => call('eth_sendUserOperation', [operation, deployment.entryPoint]),
      receipt: async (hash) => (await call('eth_getUserOperationReceipt', [hash])).result,
      nonce,
      raise,
      wait: async () => {
        await sleep(PAUSE)
        return (questions += 1) < QUESTIONS
      },
      store: store(intent),
    }
    // If the store has a job of this intent, `flow` goes on with that one.
    return flow(program, { request: { jobId: crypto.randomUUID(), ...request }, deployment, names, validUntil })
  }
}
