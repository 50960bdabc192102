import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** One of the three servers, in its own process. */
export async function host(t, name, env = {}) {
  const url = await started(t, `../../${name}.mjs`, env)
  const fetched = async (method, path, { body, ...headers } = {}) => {
    const response = await fetch(url + path, { method, headers, body })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  return { url, fetch: fetched, raw: (line, headers) => raw(url, line, headers) }
}

/** The wallet backend of the tests in a process of its own: its address. */
export function wallet(t) {
  return started(t, 'wallet.mjs')
}

/** The address that a program prints once it listens. */
async function started(t, path, env = {}) {
  const file = fileURLToPath(new URL(path, import.meta.url))
  const stdio = ['ignore', 'pipe', env.QUIET ? 'ignore' : 'inherit']
  const child = spawn(process.execPath, [file], { env: { ...process.env, PORT: '0', ...env }, stdio })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill()
    await ended
  })
  const [url] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`${path} ended early with ${code}`))),
  ])
  return url
}

/** Sends a request whose target no client has normalized. */
async function raw(url, line, headers) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const all = { host: `${hostname}:${port}`, connection: 'close', 'content-length': 0, ...headers }
  const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${line} HTTP/1.1\r\n${fields.join('')}\r\n`)
  const answer = await text(socket)
  const [head, body] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1) }
}
