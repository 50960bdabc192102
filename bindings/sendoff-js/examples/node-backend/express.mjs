import { pipeline } from 'node:stream'
import express from 'express'
import { estimate } from 'sendoff'
import { bodyText, failureReply, guardExpress, passed, traceId } from 'sendoff/http'
import { applicationOf, factsOf, limit } from './backend.mjs'
import { forward } from './forward.mjs'

const app = express()
app.use(guardExpress({ scope: ({ headers }, operation) => applicationOf(headers, operation), ...limit }))

app.post('/api/oc/v1/estimate', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
  response.json(estimate(bodyText(request.body), factsOf(passed(request).scope)))
})

// Everything else is the wallet backend's.
app.use(async (request, response) => {
  const { status, headers, body } = await forward(request, passed(request).operation, traceId(request))
  response.writeHead(status, headers)
  // A reply that breaks off is broken off here too: half of it must not look whole.
  pipeline(body, response, () => {})
})

app.use((error, request, response, _next) => {
  const { status, headers, body } = failureReply(traceId(request), error)
  if (status === 500) console.error(error)
  response.status(status).setHeaders(new Headers(headers)).end(JSON.stringify(body))
})

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
