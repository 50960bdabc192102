import { createServer } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { Hono } from 'hono'
import { answerHono, errorsHono, failureReply, guardHono, refusalReply, traceId } from 'sendoff/http'
import { limit, scope, service } from './backend.mjs'

const app = new Hono()
app.use(guardHono({ scope, ...limit }))
app.all('/*', answerHono(service))
app.onError(errorsHono())

const server = createServer((incoming, outgoing) => {
  const listener = getRequestListener(app.fetch, {
    // A target that cannot become a `Request` reaches no middleware.
    errorHandler(error) {
      const id = traceId(incoming)
      const isTarget = error instanceof RequestError
      const { status, headers, body } = isTarget ? refusalReply(id, { refused: 'bad-target' }) : failureReply(id, error)
      return new Response(JSON.stringify(body), { status, headers: { ...headers, 'x-request-id': id } })
    },
  })
  return listener(incoming, outgoing)
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
