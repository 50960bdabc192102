// A body that a framework's own parser refuses, behind our error handlers.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { errorsExpress, errorsFastify, errorsHono } from 'sendoff/http'
import { listening } from '../../../test/help.mjs'

const LIMITED = 'of at most 1000 bytes'

const HOSTS = [
  ['express', LIMITED, async () => express().use(express.json({ limit: 1000 }), errorsExpress())],
  ['fastify', LIMITED, async () => {
    const app = Fastify({ bodyLimit: 1000 })
    app.setErrorHandler(errorsFastify())
    app.post('/', () => ({}))
    await app.ready()
    return app.routing
  }],
  // Its error has no limit.
  ['hono', 'within the limit of this server', async () => {
    const app = new Hono()
    app.use(bodyLimit({ maxSize: 1000 }))
    app.onError(errorsHono())
    return getRequestListener(app.fetch)
  }],
]

for (const [name, limit, listener] of HOSTS) {
  test(`${name}: a body that its parser refuses is 413, with the limit if it is known`, async (t) => {
    const url = await listening(t, createServer(await listener()))
    const headers = { 'content-type': 'application/json', 'x-request-id': 'its-id' }
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(' '.repeat(1000)) })
    const error = { code: 413, message: `expected a body ${limit}, found a longer one`, trace_id: 'its-id' }
    assert.deepEqual([reply.status, await reply.json()], [413, { status: 'error', error }])
  })
}
