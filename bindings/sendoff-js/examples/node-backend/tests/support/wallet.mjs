// A wallet backend for the tests of forwarding. The header `x-play` of a call tells what it does.

import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { listening } from '../../../../test/help.mjs'

const plays = {
  // All that it was sent.
  async tell(request, response) {
    const { method, url, headers } = request
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, url, headers, body: await text(request) }))
  },
  echo: (request, response) => request.pipe(response),
  headers(_request, response) {
    const fields = { connection: 'close, x-hop', 'x-hop': 'a', 'proxy-authenticate': 'Basic', 'x-request-id': 'its own' }
    response.writeHead(200, { ...fields, 'set-cookie': ['a=1', 'b=2'], 'content-encoding': 'gzip', etag: '"1"' })
    response.end(gzipSync('packed'))
  },
  empty: (_request, response) => response.writeHead(204).end(),
  limited(_request, response) {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' })
    response.end('{"status":"error","error":{"code":429,"message":"its own limit"}}')
  },
  busy: (_request, response) => response.writeHead(503, { 'retry-after': 'Sun, 22 Nov 2026 08:49:37 GMT' }).end('{}'),
  late() {},
  hangUp: (request) => request.socket.destroy(),
  breakOff: (_request, response) => response.writeHead(200, { 'content-length': '10' }).write('half', () => response.destroy()),
  stall: (_request, response) => response.writeHead(200, { 'content-length': '10' }).write('half'),
}

/** Its address, and what came: calls, and those that broke off. */
export async function wallet(t) {
  const seen = { calls: 0, broken: 0 }
  const url = await listening(t, createServer((request, response) => {
    seen.calls += 1
    request.on('close', () => { if (!request.complete) seen.broken += 1 })
    plays[request.headers['x-play']](request, response)
  }))
  return { url, seen }
}
