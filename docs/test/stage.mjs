// The environment of the guides' programs: a service behind `fetch`, and a wallet.

import { readFileSync } from 'node:fs'
import { encodePaymasterData, estimate, RateLimiter, readBearer } from 'sendoff'
import { guardFetch } from 'sendoff/http'

const facts = JSON.parse(readFileSync(new URL('../../tests/demo/facts.json', import.meta.url), 'utf8'))
const grant = { clientSWA: facts.clientSWA, validUntil: 1_893_456_000, validAfter: 0, signature: `0x${'1b'.repeat(65)}` }

const service = guardFetch(
  {
    scope: ({ headers }) => ({ 'demo-token': 'shop' })[readBearer(headers.get('authorization') ?? '').token],
    limiter: new RateLimiter({ limit: 2, windowMs: 2000 }),
  },
  async (request) => {
    if (new URL(request.url).pathname.endsWith('/estimate')) return Response.json(estimate(await request.text(), facts))
    return Response.json({ status: 'success', data: { orderId: crypto.randomUUID() } })
  },
)

const SHOP = 'https://shop.example'
const { fetch } = globalThis
globalThis.fetch = async (input, init) => {
  const request = new Request(input instanceof Request ? input : new URL(input, SHOP), init)
  // Other requests of a guide are passed on.
  if (!request.url.startsWith(SHOP)) return fetch(request)
  if (!request.url.endsWith('/jobs')) return service(request)
  return Response.json({ jobId: crypto.randomUUID(), paymasterData: encodePaymasterData(grant) })
}

globalThis.wallet = { signMessage: async ({ message }) => message.raw + '00'.repeat(33) }
