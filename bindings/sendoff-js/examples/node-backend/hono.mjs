import { createServer } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { estimate } from 'sendoff'
import { bodyText, failureReply, guardHono, passed, refusalReply, traceId } from 'sendoff/http'
import { applicationOf, factsOf, limit } from './backend.mjs'

const app = new Hono()
app.use(guardHono({ scope: (c, operation) => applicationOf(c.req.header(), operation), ...limit }))

app.post('/api/oc/v1/estimate', bodyLimit({ maxSize: 2 ** 20 }), async (c) => {
  return c.json(estimate(bodyText(await c.req.arrayBuffer()), factsOf(passed(c).scope)))
})

app.notFound((c) => {
  return send(refusalReply(traceId(c), { refused: 'no-backend', operation: passed(c).operation }))
})

app.onError((error, c) => {
  const reply = failureReply(traceId(c), error)
  if (reply.status === 500) console.error(error)
  return send(reply)
})

/** @param {import('sendoff/http').ErrorReply} reply */
function send({ body, ...rest }) {
  return new Response(JSON.stringify(body), rest)
}

const server = createServer((incoming, outgoing) => {
  const listener = getRequestListener(app.fetch, {
    // A target that cannot become a `Request` reaches no middleware.
    errorHandler(error) {
      const id = traceId(incoming)
      const isTarget = error instanceof RequestError
      const { headers, ...rest } = isTarget ? refusalReply(id, { refused: 'bad-target' }) : failureReply(id, error)
      return send({ ...rest, headers: { ...headers, 'x-request-id': id } })
    },
  })
  return listener(incoming, outgoing)
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
