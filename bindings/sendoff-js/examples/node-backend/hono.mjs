import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { estimate } from 'sendoff'
import { bodyText, failureReply, guardHono, passed, refusalReply, traceId } from 'sendoff/http'
import { applicationOf, factsOf, limit } from './backend.mjs'
import { forward } from './forward.mjs'

/** @type {Hono<{ Bindings: import('@hono/node-server').HttpBindings }>} */
const app = new Hono()
app.use(guardHono({ scope: (c, operation) => applicationOf(c.req.header(), operation), ...limit }))

app.post('/api/oc/v1/estimate', bodyLimit({ maxSize: 2 ** 20 }), async (c) => {
  return c.json(estimate(bodyText(await c.req.arrayBuffer()), factsOf(passed(c).scope)))
})

// Everything else is the wallet backend's.
app.all('/*', async (c) => {
  const { status, headers, body } = await forward(c.env.incoming, passed(c).operation, traceId(c))
  const hasBody = status !== 204 && status !== 304
  const response = new Response(hasBody ? Readable.toWeb(body) : null, { status })
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values ?? []].flat()) response.headers.append(name, value)
  }
  return response
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
