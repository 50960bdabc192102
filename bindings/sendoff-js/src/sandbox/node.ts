import { bytesOf } from '../http/body.js'
import { headersOf } from '../http/trace.js'
import { member, own } from '../own.js'
import { TextEncoder } from '../sandbox-core.js'
import { refusal, utf8 } from './body.js'
import type { SandboxReply, SandboxRequest } from './types.js'

/** The part of Node's request that is used. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  /** Names and values in turn. `headers` lacks the second value of a header such as `authorization`. */
  readonly rawHeaders?: readonly string[] | undefined
}

/** The part of Node's response that is used. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  write(part: string, done: () => void): unknown
  end(body: string): unknown
  destroy(): unknown
}

const PARTS = ['now', 'sleep', 'onAnswer', 'onError'] as const

/**
 * Checks the world of a sandbox.
 *
 * @throws TypeError for a part that is not a function.
 */
export function checkWorld(world: { readonly [Part in (typeof PARTS)[number]]?: unknown }): void {
  for (const name of PARTS) {
    const found = typeof (own(world)[name] ?? checkWorld)
    if (found !== 'function') throw new TypeError(`expected a function in \`${name}\`, found ${found}`)
  }
}

/** The largest body that is read, as in the gateway; the service refuses one above 1 MiB. */
const MOST_BYTES = 2 << 20

/** Answers a request of Node's server. A failure of the service is 500, and told to `onError`, whose own failure is one of the console. */
export async function respond(
  request: NodeRequest,
  response: NodeResponse,
  answer: (request: SandboxRequest) => Promise<SandboxReply>,
  sleep: (ms: number) => Promise<void>,
  onError: (error: unknown) => unknown = console.error,
): Promise<void> {
  const refuse = (refused: 'failed' | 'not-utf8' | 'too-large', most?: number, more?: Record<string, string>): void => {
    const { status, headers, body } = refusal(refused, most)
    response.writeHead(status, { ...headers, 'content-length': String(body.length), ...more })
    response.end(body)
  }
  const parts = request[Symbol.asyncIterator]()
  // `null` if the caller has gone.
  const bytes = await bytesOf(() => parts.next(), MOST_BYTES).catch(() => null)
  if (bytes === null) return
  // The rest of the body stays unread, so the connection has no other request.
  if (!bytes) return refuse('too-large', MOST_BYTES, { connection: 'close' })
  const body = utf8(bytes)
  if (body === undefined) return refuse('not-utf8')

  const [method = 'GET', target = '/'] = [member(request, 'method'), member(request, 'url')]
  const header = headersOf(request)
  const headers = Object.fromEntries(Object.keys(request.headers).map((name) => [name, header(name) ?? '']))
  let reply: SandboxReply
  try {
    reply = await answer({ method, target, headers, body })
    if (reply.delayMs > 0) await sleep(reply.delayMs)
  } catch (error) {
    refuse('failed')
    const both = (failure: unknown): void => [error, failure].forEach((each) => console.error(each))
    return Promise.resolve(error).then(onError).then(() => {}, both)
  }
  // The caller gives up.
  if (reply.delivery === 'never') return
  const length = String(new TextEncoder().encode(reply.body).length)
  response.writeHead(reply.status, { ...reply.headers, 'content-length': length })
  if (reply.delivery === 'whole') return void response.end(reply.body)
  response.write(reply.body.slice(0, reply.body.length / 2), () => response.destroy())
}
