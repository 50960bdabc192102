import express from 'express'
import { estimate } from 'sendoff'
import { errorReply, failureReply, guardExpress, passed, traceId } from 'sendoff/http'
import { applicationOf, factsOf, limit } from './backend.mjs'

const app = express()
app.use(guardExpress({ scope: ({ headers }, operation) => applicationOf(headers, operation), ...limit }))

app.post('/api/oc/v1/estimate', express.text({ type: () => true, limit: '1mb' }), (request, response) => {
  response.json(estimate(request.body, factsOf(passed(request).scope)))
})

app.use((request, response) => {
  send(response, errorReply(traceId(request), 501, `expected a wallet for \`${passed(request).operation}\`, found none`))
})

app.use((error, request, response, _next) => {
  const reply = failureReply(traceId(request), error)
  if (reply.status === 500) console.error(error)
  send(response, reply)
})

function send(response, { status, headers, body }) {
  response.status(status).set(headers).json(body)
}

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
