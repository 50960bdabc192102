// The corpus of aliases: its requests for an operation, and the wire that they go over.

import { readFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { OPERATIONS } from 'sendoff'

const { cases } = JSON.parse(readFileSync(new URL('../aliases.json', import.meta.url), 'utf8'))
const CREDENTIALS = { client: ['authorization: Bearer demo-token'], server: ['x-api-key: demo-server-key', 'authorization: Bearer demo-token'] }

/** Whether requests go over HTTP/2, of the versions that are tested: 1, 2, or both without `HTTP`. */
export const versions = { 1: [false], 2: [true] }[process.env.HTTP] ?? [false, true]

const escaped = (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('')
const lookalike = (path, letter, other) => (path.includes(letter) ? path.replace(letter, escaped(other)) : undefined)

/** The names of the corpus for an operation. */
function namesOf({ method, path: template }) {
  const segments = template.split('/').slice(1)
  const literals = segments.filter((segment) => !segment.startsWith('{'))
  const [last, rest] = [literals.at(-1), literals.length < segments.length ? '/u1' : '']
  const parent = `/${literals.slice(0, -1).join('/')}`
  const path = `${parent}/${last}${rest}`
  const [, firstSegment, others] = /^(\/[^/]*)(.*)$/.exec(path)
  const [first, tail] = [last[0], last.slice(1)]
  const code = first.charCodeAt(0)
  return {
    method, template, path, parent, last, rest, first, tail, others,
    upper: path.toUpperCase(), 'first-upper': first.toUpperCase(), 'path-bare': path.slice(1),
    'first-segment': firstSegment, 'first-segment-upper': firstSegment.toUpperCase(), 'others-bare': others.slice(1),
    hex: code.toString(16), 'hex-upper-letter': (code - 32).toString(16), 'last-escaped': escaped(last),
    overlong: `%${(0xc0 | (code >> 6)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`,
    wide: escaped(String.fromCodePoint(0xfee0 + code)),
    'long-s': lookalike(path, 's', '\u017f'), kelvin: lookalike(path, 'k', '\u212a'), 'dotless-i': lookalike(path, 'i', '\u0131'),
  }
}

/** Every request of the corpus for every operation, with an id of its own, to a server at `host`. */
export function requests(host) {
  return OPERATIONS.flatMap((operation) => cases.map((each, at) => requestOf(each, operation, `${operation.id}-${at}`, host)))
    .filter(Boolean)
}

function requestOf({ name, line, headers = {}, then, body, http2 }, operation, id, host) {
  const credentials = CREDENTIALS[operation.side]
  const names = { ...namesOf(operation), host, id, credentials: credentials.map((field) => `${field}\r\n`).join('') }
  let isThere = true
  const filled = (text) => text.replace(/\{([a-z0-9-]+)\}/g, (brace, name) => {
    if (name in names && names[name] === undefined) isThere = false
    return names[name] ?? brace
  })
  const own = [`x-request-id: ${id}`, ...credentials]
  const fields = Object.fromEntries(own.map((field) => field.split(': ')))
  const whole = { name, id, operation }
  if (http2) {
    const pseudo = Object.entries(http2).map(([name, value]) => [name, filled(value)])
    return { ...whole, http2: { ...Object.fromEntries(pseudo), ...fields } }
  }
  const head = (line, more, close) => {
    const all = { host, 'content-length': '0', ...more, ...(close ? { connection: more.connection ?? 'close' } : {}) }
    if (more['transfer-encoding'] && !more['content-length']) delete all['content-length']
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${filled(value)}`)
    return `${[`${filled(line)} HTTP/1.1`, ...lines, ...own].join('\r\n')}\r\n\r\n`
  }
  const sent = body === undefined ? '' : filled(body)
  const more = body === undefined || headers['transfer-encoding'] ? headers : { 'content-length': String(sent.length), ...headers }
  const bytes = `${head(line, more, !then && !body)}${sent}${then ? head(then, {}, true) : ''}`
  if (!isThere) return undefined
  const isPlain = !then && body === undefined && Object.keys(headers).length === 0
  const [, method, target] = /^([^ ]*) (.*)$/s.exec(filled(line))
  const asHttp2 = isPlain && { ':method': method, ':scheme': 'http', ':authority': host, ':path': target, ...fields }
  return { ...whole, bytes: Buffer.from(bytes, 'latin1'), ...(asHttp2 ? { http2: asHttp2 } : {}) }
}

/** Sends all of them, and waits until each was answered or its connection has ended. */
export async function send(all, host, isHttp2) {
  const [hostname, port] = host.split(':')
  const waiting = all.filter(({ bytes, http2 }) => (isHttp2 ? http2 : bytes))
  const count = waiting.length
  const worker = async () => {
    const session = isHttp2 ? { current: undefined } : undefined
    for (let each = waiting.pop(); each; each = waiting.pop()) {
      await (isHttp2 ? overHttp2(session, `http://${host}`, each.http2) : overHttp1(Number(port), hostname, each.bytes))
    }
    session?.current?.destroy()
  }
  await Promise.all(Array.from({ length: 32 }, worker))
  return count
}

/** Longer than an answer takes here: what is open then (an upgrade, half a request) is closed. */
const PATIENCE_MS = 300

function overHttp1(port, hostname, bytes) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: hostname, allowHalfOpen: false }, () => socket.write(bytes))
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
    socket.on('error', () => {}).on('data', () => {}).on('close', resolve)
  })
}

function overHttp2(session, address, fields) {
  return new Promise((resolve) => {
    if (!session.current || session.current.destroyed || session.current.closed) {
      session.current = connectHttp2(address).on('error', () => {})
    }
    try {
      const stream = session.current.request(fields, { endStream: fields[':method'] !== 'CONNECT' })
      stream.setTimeout(PATIENCE_MS, () => stream.destroy())
      stream.on('error', () => {}).on('close', resolve).resume()
    } catch {
      // A shape that this client cannot send.
      resolve()
    }
  })
}
