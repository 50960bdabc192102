import Fastify from 'fastify'
import { estimate } from 'sendoff'
import { bodyText, failureReply, guardFastify, passed, traceId } from 'sendoff/http'
import { applicationOf, factsOf, limit } from './backend.mjs'
import { forward } from './forward.mjs'

const guard = guardFastify({ scope: ({ headers }, operation) => applicationOf(headers, operation), ...limit })
const app = Fastify({
  // The log has the trace id of the envelope.
  genReqId: traceId,
  // Fastify calls no hook for a target that its router cannot read.
  async frameworkErrors(error, request, response) {
    const reply = /** @type {import('fastify').FastifyReply} */ (response)
    if (!(await guard(request, reply))) send(request, reply, error)
  },
})
app.addHook('onRequest', guard)

// The core reads JSON itself, so that it can report all problems.
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

app.post('/api/oc/v1/estimate', (request, response) => {
  response.send(estimate(bodyText(/** @type {Buffer} */ (request.body)), factsOf(passed(request).scope)))
})

// Everything else is the wallet backend's, and its body is not read here.
app.register(async (others) => {
  others.removeAllContentTypeParsers()
  others.addContentTypeParser('*', (_request, _body, done) => done(null))
  others.all('/*', async (request, response) => {
    const { status, headers, body } = await forward(request.raw, passed(request).operation, traceId(request))
    return response.code(status).headers(headers).send(body)
  })
})

app.setErrorHandler((error, request, response) => send(request, response, error))

function send(request, response, error) {
  const { status, headers, body } = failureReply(traceId(request), error)
  if (status === 500) console.error(error)
  // As bytes: Fastify adds a charset to the content type of text.
  response.code(status).headers(headers).send(Buffer.from(JSON.stringify(body)))
}

console.log(await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' }))
