// A pocket service on the loopback, and the transport of the SDKs redirected to it: they are as npm has them, and name the hosts of the
// live service.

import http, { createServer } from 'node:http'
import https from 'node:https'
import { Sandbox } from '../../bindings/sendoff-js/dist/sandbox.mjs'
import { listening } from '../../bindings/sendoff-js/test/help.mjs'

const HOSTS = /(^|\.)okto(stage)?\.(tech|com)$/

/** Where requests go. */
let port

// What axios calls in Node. A request for any other host fails.
https.request = (options, heard) => {
  const host = options.hostname ?? options.host
  if (!HOSTS.test(host)) throw new Error(`the network is refused: ${host}`)
  const { servername, agent, agents, ...rest } = options
  return http.request({ ...rest, protocol: 'http:', hostname: '127.0.0.1', host: '127.0.0.1', port }, heard)
}

/** Starts a service with these options; every later request of the SDKs goes there. */
export async function pocket(t, options = {}) {
  const sandbox = new Sandbox({ delays: { start: 0, end: 0, block: 0 }, ...options })
  ;({ port } = new URL(await listening(t, createServer(sandbox.listener))))
  return sandbox
}

/** Keeps the console quiet: the SDKs tell it every request. */
export function quiet(t) {
  for (const method of ['log', 'error', 'debug', 'info', 'group', 'groupCollapsed', 'groupEnd', 'table']) t.mock.method(console, method, () => {})
}

export const RECIPIENT = '0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B'
export const COLLECTION = '0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5'
export const USDC = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
/** The first user, as whom the identity `first` signs in. */
export const FIRST = { id: 'd6061eab-2da6-4d79-a225-71f995791e45', swa: '0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906' }

/** The call of a token that sends an amount to the recipient. */
export const sends = (amount) => `0xa9059cbb${RECIPIENT.slice(2).toLowerCase().padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`

/** What an account holds of USDC, by the ledger. */
export function held({ ledger }, account) {
  return ledger.tokens.find(({ address }) => address === USDC).balances[account.toLowerCase()] ?? '0'
}

/** Who owns an NFT, by the ledger. */
export function owner({ ledger }, id) {
  return Object.keys(ledger.collections.find(({ address }) => address === COLLECTION).nfts[id].owners)[0]
}
