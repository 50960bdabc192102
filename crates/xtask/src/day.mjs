// A day of the pocket service, on its own clock: an application polls, and makes a transfer every minute.

import { Sandbox } from '../../../bindings/sendoff-js/dist/sandbox.mjs'

const MIDNIGHT = 1_749_945_600_000
const SECONDS = 86_400

const headers = { authorization: 'Bearer sandbox-token' }
const orders = { method: 'GET', target: '/api/v1/orders?limit=5', headers }
const transfer = {
  method: 'POST',
  target: '/api/v1/transfer/tokens/execute',
  headers,
  body: JSON.stringify({
    network_name: 'POLYGON',
    token_address: '',
    quantity: '0.001',
    recipient_address: '0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B',
  }),
}

const sandbox = new Sandbox({ seed: 'day', lies: { seed: 'day', every: 50 } })
const [statuses, lies, states] = [new Map(), new Map(), new Map()]
const begun = performance.now()
let requests = 0
for (let second = 0; second < SECONDS; second += 2) {
  const request = second % 60 === 0 ? transfer : orders
  const reply = sandbox.answer(request, MIDNIGHT + second * 1_000)
  requests++
  count(statuses, reply.status)
  const lied = reply.headers['x-sandbox-lied']
  if (lied) count(lies, lied)
}
const took = (performance.now() - begun) / 1_000
for (const { status } of sandbox.state().orders) count(states, status)

console.log(`a day of ${requests} requests took ${took.toFixed(1)} s`)
console.log(`replies by status: ${said(statuses)}`)
console.log(`${lies.size} different lies were told, ${[...lies.values()].reduce((sum, times) => sum + times, 0)} in all`)
console.log(`orders by state, of those that are kept: ${said(states)}`)

function count(times, key) {
  times.set(key, (times.get(key) ?? 0) + 1)
}

function said(times) {
  const sorted = [...times].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([key, count]) => `${key} ${count}`).join(', ')
}
