// What a chain node says of a job, for clients of the kit: the function `nonce` of `sendoff/flow`, by JSON-RPC.

import { nonceCall, readNonce } from 'sendoff'

/** The hash of `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)`. */
const EVENT = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f'

/** `rpc` resolves to the response to a method, as that of {@link rpcOf}. */
export const nonceOf = (rpc, entryPoint) => async (sender, jobId) => {
  const call = async (...asked) => (await rpc(...asked)).result
  const block = await call('eth_getBlockByNumber', ['finalized', false])
  const answer = await call('eth_call', [{ to: entryPoint, data: nonceCall(sender, jobId) }, block.number])
  const topics = [EVENT, null, `0x${sender.slice(2).toLowerCase().padStart(64, '0')}`]
  const logs = await call('eth_getLogs', [{ address: entryPoint, fromBlock: '0x0', toBlock: block.number, topics }])
  const nonce = jobId.replaceAll('-', '').toLowerCase().padStart(64, '0')
  const event = logs.find(({ data }) => data.slice(2, 66) === nonce)
  return { ...readNonce(jobId, answer), now: Number(block.timestamp), success: event && BigInt(`0x${event.data.slice(66, 130)}`) === 1n }
}

/** What `flow` says, in the words of the kit: an end is believed where the node says it. */
export function saidBy(result) {
  const { outcome, by, success } = result
  if (outcome === 'executed') return success === undefined ? 'unknown' : success ? 'succeeded' : 'failed'
  if (outcome === 'succeeded' || outcome === 'failed') return by === 'node' ? outcome : 'unknown'
  return outcome === 'open' ? 'unknown' : 'refused'
}

/** A function from a method and its parameters to the response of JSON-RPC. */
export const rpcOf = (fetch, url, headers = {}) => async (method, params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })).json()
}

/** The store of one intent, in memory. */
export function memory() {
  let stored = null
  return { get: async () => stored, swap: async (before, after) => before === stored && ((stored = after), true) }
}
