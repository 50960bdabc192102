// A backend in Node that serves the estimate over HTTP: `node bench/hono-host/server.mjs` prints its address. PORT and
// TOKEN, the token of its only caller, have defaults.
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { estimate, RateLimiter, readBearer } from '../../bindings/sendoff-js/dist/index.mjs'
import { failureReply, guardHono, passed, traceId } from '../../bindings/sendoff-js/dist/http.mjs'

const { TOKEN = 'demo-token', PORT = '0' } = process.env
const applications = new Map([[TOKEN, 'demo']])
const facts = new Map([['demo', readFileSync(new URL('../../tests/demo/facts.json', import.meta.url), 'utf8')]])

const app = new Hono()
const limiter = new RateLimiter({ limit: 1500, windowMs: 300_000 })
app.use(guardHono({ scope: (c) => applications.get(readBearer(c.req.header('authorization') ?? '').token), limiter }))
app.post('/api/oc/v1/estimate', async (c) => c.json(estimate(await c.req.text(), facts.get(passed(c).scope))))
app.onError((error, c) => {
  const { status, headers, body } = failureReply(traceId(c), error)
  if (status === 500) console.error(error)
  return Response.json(body, { status, headers })
})

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`)
})
