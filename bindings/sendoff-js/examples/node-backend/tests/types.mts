// The types of the hosts and clients, together with those of the package. This file is compiled, not run.

import express, { type Request as ExpressRequest } from 'express'
import Fastify, { type FastifyRequest } from 'fastify'
import { type Context, Hono } from 'hono'
import { Cluster, Redis } from 'ioredis'
import { createClient, createClientPool, createCluster, createSentinel } from 'redis'
import type { HttpBindings } from '@hono/node-server'
import { type Facts, RateLimiter } from 'sendoff'
import {
  answerExpress,
  answerFetch,
  answerHono,
  credentials,
  errorsExpress,
  errorsFastify,
  errorsHono,
  fastifySendoff,
  guardExpress,
  guardFastify,
  guardFetch,
  guardHono,
  type Passed,
  passed,
} from 'sendoff/http'
import { RedisWindows } from 'sendoff/redis'

const policy = { limit: 1500, windowMs: 300_000 }
const production = { environment: 'production', secret: process.env['SECRET'] }
const limiter = new RateLimiter(policy)
const store = new RedisWindows(new Redis(), policy, production)
new RedisWindows(new Cluster([]), policy, production)
new RedisWindows(createClient(), policy, production)
new RedisWindows(createClient({ RESP: 2 }), policy, production)
new RedisWindows(createClientPool(), policy, production)
new RedisWindows(createCluster({ rootNodes: [] }), policy, production)
new RedisWindows(createSentinel({ name: 'main', sentinelRootNodes: [] }), policy, production)

express()
  .use(guardExpress({ scope: ({ headers }) => headers.authorization?.toString(), limiter }))
  .use(guardExpress({ scope: (request: ExpressRequest) => request.get('x-api-key'), store, onStoreLoss: 'refuse' }))
  .get('/api/v1/orders', (request, response) => response.json(passed(request)))

Fastify()
  .addHook('onRequest', guardFastify({ scope: ({ raw }) => raw.url, limiter }))
  .addHook('onRequest', guardFastify({ scope: async (request: FastifyRequest) => request.ip, limiter }))
  .get('/api/v1/orders', async (request) => passed(request))

type Env = { Variables: { user: string } }
new Hono<Env>()
  .use(guardHono({ scope: (c) => c.req.header('x-api-key'), limiter }))
  .use('/api/*', guardHono({ scope: (c: Context<Env>) => c.get('user'), store, onStoreLoss: () => 'admit' }))
  .get('/api/v1/orders', (c) => c.json(passed(c)))
  .mount('/other', guardFetch({ scope: (request) => request.headers.get('x-api-key'), limiter: 'none' }, () => new Response()))

// A caller with fields of its own goes from `scope` to the handlers.
const identified = credentials({ token: async (token) => (token ? { scope: 'shop', user: 7 } : undefined) })
const service = {
  facts: ({ caller }: Passed<{ scope: string; user: number }>) => (caller.user.toFixed(), {} as Facts),
  catalogue: () => ({ chains: [] }),
}
express().use(guardExpress({ scope: identified, limiter }), answerExpress(service), errorsExpress())
Fastify({ frameworkErrors: errorsFastify() }).register(fastifySendoff, { prefix: '/wallet', scope: identified, limiter, ...service })
const shop = { scope: identified, limiter, catalogue: () => ({ chains: [] }) }
Fastify().register(fastifySendoff({ ...shop, facts: ({ caller }) => (caller.user.toFixed(), {} as Facts) }), { prefix: '/wallet' })
// @ts-expect-error the caller is inferred from `scope`
Fastify().register(fastifySendoff({ ...shop, facts: ({ caller }) => (caller.nobody, {} as Facts) }))
new Hono<{ Bindings: HttpBindings }>().use(guardHono({ scope: identified, limiter: 'none' })).all('/*', answerHono(service)).onError(errorsHono())
guardFetch({ scope: identified, limiter: 'none' }, answerFetch(service)) satisfies (request: Request) => Promise<Response>
guardFetch({ scope: identified, limiter: 'none' }, (_, { caller }) => Response.json(caller.user satisfies number))
passed<{ user: number }>(new Request('http://localhost')).caller.user satisfies number
// @ts-expect-error the plugin needs to know who calls
Fastify().register(fastifySendoff, { ...service })
