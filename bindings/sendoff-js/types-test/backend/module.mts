// What the types of the entries for backends let pass, and what they do not. Compiled and never run. The real hosts and
// clients are compiled against in examples/node-backend.

import { RateLimiter, type Verdict } from 'sendoff'
import * as http from 'sendoff/http'
import { type IoRedis, type NodeRedis, RedisWindows } from 'sendoff/redis'

declare const io: IoRedis
declare const node: NodeRedis
const policy = { limit: 1500, windowMs: 300_000 }
const limiter = new RateLimiter(policy)
const store = new RedisWindows(io, policy, { environment: 'production' })
const verdict: Promise<Verdict> = store.admit('shop', 2)
store.touch('shop') satisfies Promise<void>
new RedisWindows(node, '{}', { environment: 'production', secret: 's', timeoutMs: 50, onSilence: () => {} })
// @ts-expect-error an environment is named
new RedisWindows(io, policy, {})
// @ts-expect-error there is no such client
new RedisWindows({}, policy, { environment: 'production' })

// The request is the host's own, and a limit is none, a limiter or a store.
http.guardExpress({ scope: ({ headers }) => headers['x-api-key']?.toString() })
http.guardExpress({ scope: (request: http.ExpressRequest & { user?: string }) => request.user, limiter, now: () => 0 })
http.guardFastify({ scope: ({ raw }) => raw.url, limiter, advertise: policy })
http.guardHono({ scope: async (c) => c.req.header('x-api-key') ?? null, store, onStoreLoss: () => 'pass' })
const answer: (request: Request) => Promise<Response> = http.guardFetch(
  { scope: (request, operation) => `${operation} ${request.headers.get('x-api-key')}`, store, onStoreLoss: 'refuse' },
  (_, { params }) => Response.json(params['userId']),
)
http.guardExpress({ scope: () => 'shop', store, onStoreLoss: 'local', limiter, now: () => 0 })
http.guardExpress({ scope: () => 'shop', store, onStoreLoss: () => 'local', limiter })
// @ts-expect-error somebody counts where this process does
http.guardExpress({ scope: () => 'shop', store, onStoreLoss: 'local' })
// @ts-expect-error somebody decides what happens without the store
http.guardExpress({ scope: () => 'shop', store })
// @ts-expect-error a limiter is not a store
http.guardExpress({ scope: () => 'shop', store: limiter, onStoreLoss: 'pass' })
// @ts-expect-error one limit is enough
http.guardExpress({ scope: () => 'shop', limiter, store, onStoreLoss: 'pass' })
// @ts-expect-error somebody says who calls
http.guardExpress({ limiter })

const request = new Request('http://localhost')
http.passed(request).operation satisfies string
const reply: http.ErrorReply = http.failureReply(http.traceId(request), new Error())
reply.body.error.code satisfies number
http.errorReply('trace', 400, 'no', { errorCode: 'ER-TECH-0005', details: { network: 1 } }) satisfies http.ErrorReply

export { answer, verdict }
