// The calls of a page whose network is the pocket service: an order, a lie, and a connection that breaks.

import { equal } from './assertions.mjs'

const headers = { authorization: 'Bearer sandbox-token', 'content-type': 'application/json' }
const transfer = {
  network_name: 'POLYGON',
  token_address: '',
  quantity: '0.1',
  recipient_address: '0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B',
}

/** Makes them, with the `fetch` of a page. */
export async function calls(fetch, address) {
  const portfolio = (lie) => fetch(`${address}/api/v1/portfolio`, { headers: { ...headers, 'x-sandbox-lie': lie } })

  const made = await fetch(`${address}/api/v1/transfer/tokens/execute`, { method: 'POST', headers, body: JSON.stringify(transfer) })
  equal(made.status, 201)
  const { orderId } = (await made.json()).data
  const orders = await fetch(`${address}/api/v1/orders?order_id=${orderId}`, { headers })
  equal((await orders.json()).data.jobs[0].order_id, orderId)

  equal((await portfolio('unavailable')).status, 503)
  const half = await portfolio('half-a-body')
  equal(await half.text().catch(() => 'broken'), 'broken')
}
