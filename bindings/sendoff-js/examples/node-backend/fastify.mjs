import Fastify from 'fastify'
import { errorsFastify, fastifySendoff, traceId } from 'sendoff/http'
import { limit, scope, service } from './backend.mjs'

// The log has the trace id of the envelope.
const app = Fastify({ genReqId: traceId, frameworkErrors: errorsFastify() })
app.register(fastifySendoff, { scope, ...limit, ...service })

console.log(await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' }))
