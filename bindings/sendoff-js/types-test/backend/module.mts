// Programs that the types of the entries for backends accept and refuse. This file is compiled, not run. examples/node-backend
// compiles with the types of the hosts and clients.

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
// @ts-expect-error an environment needs a name
new RedisWindows(io, policy, {})
// @ts-expect-error the client is not supported
new RedisWindows({}, policy, { environment: 'production' })

// The type of the request is the host's, and the limit is absent, a limiter or a store.
http.guardExpress({ scope: (request: http.ExpressRequest & { user?: string }) => request.user, limiter, now: () => 0 })
const answer: (request: Request) => Promise<Response> = http.guardFetch(
  { scope: (request, operation) => `${operation} ${request.headers.get('x-api-key')}`, store, onStoreLoss: 'refuse' },
  (_, { params }) => Response.json(params['userId']),
)
http.guardExpress({ scope: () => 'shop', store, onStoreLoss: 'local', limiter, now: () => 0 })
http.guardExpress({ scope: () => 'shop', store, onStoreLoss: () => 'local', limiter })
// @ts-expect-error a limiter is not a store
http.guardExpress({ scope: () => 'shop', store: limiter, onStoreLoss: 'admit' })
// @ts-expect-error `scope` is required
http.guardExpress({ limiter })

// Options can be spread and destructured. Contradictory options are refused when the guard is created.
type Rest = Omit<http.GuardOptions<Request>, 'scope'>
const guarded = (rest: Rest) => http.guardFetch({ scope: () => 'shop', ...rest }, () => new Response())
guarded({ limiter })
guarded({ store, onStoreLoss: 'refuse', cors: { origins: ['https://app.example'] } })
const { advertise, ...others }: http.GuardOptions<http.ExpressRequest> = { scope: () => 'shop', limiter, advertise: policy }
http.guardExpress({ ...others, advertise, others: 'ignore' })
// @ts-expect-error `scope` is required
http.guardExpress({ ...(others satisfies http.Limits as http.Limits) })
http.guardExpress({
  scope: () => 'shop',
  limiter,
  onVerdict: ({ outcome, operation, scope, traceId, verdict, error }) => {
    if (outcome === 'store-lost') error satisfies unknown
    else verdict.phase satisfies string
    ;[operation, scope, traceId] satisfies string[]
  },
})

const request = new Request('http://localhost')
http.passed(request).operation satisfies string
const reply: http.ErrorReply = http.failureReply(http.traceId(request), new Error())
reply.body.error.code satisfies number
http.errorReply('trace', 400, 'no', { errorCode: 'ER-TECH-0005', details: { network: 1 } }) satisfies http.ErrorReply

export { answer, verdict }
