// The entry `sendoff/http`: guards that handle a request before the handlers do, and replies for the errors that
// handlers throw.

export { bodyText } from './http/body.js'
export { guardExpress, type ExpressRequest, type ExpressResponse } from './http/express.js'
export { guardFastify, type FastifyReply, type FastifyRequest } from './http/fastify.js'
export { guardFetch } from './http/fetch.js'
export type { Cors } from './http/cors.js'
export { passed, type GuardOptions, type Identification, type Passed, type Surroundings, type VerdictEvent } from './http/guard.js'
export { guardHono, type HonoContext } from './http/hono.js'
export type { FallbackLimit, Limits, LocalLimit, LocalLimiter, NoLimit, SharedLimit, SharedLimiter } from './http/limit.js'
export {
  errorReply,
  failureReply,
  refusalReply,
  Refused,
  type ErrorContent,
  type ErrorEnvelope,
  type ErrorReply,
} from './http/reply.js'
export { headerOf, traceId } from './http/trace.js'
