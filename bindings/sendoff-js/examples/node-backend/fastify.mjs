import Fastify from 'fastify'
import { estimate } from 'sendoff'
import { errorReply, failureReply, guardFastify, passed, traceId } from 'sendoff/http'
import { applicationOf, factsOf, limit } from './backend.mjs'

const app = Fastify({
  // What its router cannot read comes to no hook.
  frameworkErrors: (error, request, response) => send(response, failureReply(traceId(request), error)),
})
app.addHook('onRequest', guardFastify({ scope: ({ headers }, operation) => applicationOf(headers, operation), ...limit }))

// The core reads JSON itself, so that it can say what is wrong with it.
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

app.post('/api/oc/v1/estimate', (request, response) => {
  response.send(estimate(/** @type {string} */ (request.body), factsOf(passed(request).scope)))
})

app.setNotFoundHandler((request, response) => {
  send(response, errorReply(traceId(request), 501, `expected a wallet for \`${passed(request).operation}\`, found none`))
})

app.setErrorHandler((error, request, response) => {
  const reply = failureReply(traceId(request), error)
  if (reply.status === 500) console.error(error)
  send(response, reply)
})

function send(response, { status, headers, body }) {
  response.code(status).headers(headers).send(body)
}

console.log(await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' }))
