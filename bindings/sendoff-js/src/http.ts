// The entry `sendoff/http`: guards that handle a request before the handlers do, and replies for the errors that
// handlers throw.

export { answer, type Answers, expectPermitted, type Question } from './http/answer.js'
export { bodyText } from './http/body.js'
export { credentials, type Credentials } from './http/credentials.js'
export { answerExpress, errorsExpress, guardExpress, type ExpressRequest, type ExpressResponse } from './http/express.js'
export { errorsFastify, fastifySendoff, guardFastify, type FastifyOptions, type FastifyReply, type FastifyRequest } from './http/fastify.js'
export { answerFetch, guardFetch } from './http/fetch.js'
export { type Backend, forward } from './http/forward.js'
export type { Proxies } from './http/address.js'
export type { Cors } from './http/cors.js'
export { passed, type GuardOptions, type Identification, type Passed, type Scoped, type Surroundings, type VerdictEvent } from './http/guard.js'
export { answerHono, errorsHono, guardHono, type HonoContext } from './http/hono.js'
export type { Limits, LocalLimiter, SharedLimiter } from './http/limit.js'
export { errorReply, failureReply, refusalReply, Refused, type ErrorContent, type ErrorEnvelope, type ErrorReply } from './http/reply.js'
export type { BackendReply } from './http/node.js'
export type { Service } from './http/serve.js'
export { headerOf, traceId } from './http/trace.js'
