import { createServer } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { estimate } from 'sendoff'
import { errorReply, failureReply, guardHono, passed, traceId } from 'sendoff/http'
import { applicationOf, factsOf, limit } from './backend.mjs'

const app = new Hono()
app.use(guardHono({ scope: (c, operation) => applicationOf(c.req.header(), operation), ...limit }))

app.post('/api/oc/v1/estimate', bodyLimit({ maxSize: 2 ** 20 }), async (c) => {
  return c.json(estimate(await c.req.text(), factsOf(passed(c).scope)))
})

app.notFound((c) => {
  return send(errorReply(traceId(c), 501, `expected a wallet for \`${passed(c).operation}\`, found none`))
})

app.onError((error, c) => {
  const reply = failureReply(traceId(c), error)
  if (reply.status === 500) console.error(error)
  return send(reply)
})

/** @param {import('sendoff/http').ErrorReply} reply */
function send({ body, ...rest }) {
  return Response.json(body, rest)
}

// What cannot be made a `Request` comes to no middleware.
const listener = getRequestListener(app.fetch, {
  errorHandler(error) {
    const isRequest = error instanceof RequestError
    return send(isRequest ? errorReply(traceId(error), 400, error.message) : failureReply(traceId({}), error))
  },
})
const server = createServer(listener).listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
