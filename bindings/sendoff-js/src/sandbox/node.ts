import type { SandboxReply, SandboxRequest } from './types.js'

/** The part of Node's request that is used. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | string[] | undefined }
}

/** The part of Node's response that is used. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  write(part: string, done: () => void): unknown
  end(body: string): unknown
  destroy(): unknown
}

/** The largest body that is read. */
const MOST_BYTES = 1 << 20

/** Answers a request of Node's server. */
export async function respond(
  request: NodeRequest,
  response: NodeResponse,
  answer: (request: SandboxRequest) => SandboxReply,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  const body = await read(request).catch(() => {})
  // The caller has gone.
  if (body === undefined) return
  const { method = 'GET', url: target = '/' } = request
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const reply = answer({ method, target, headers, body })
  if (reply.delayMs > 0) await sleep(reply.delayMs)
  // The caller gives up.
  if (reply.delivery === 'never') return
  const length = String(new TextEncoder().encode(reply.body).length)
  response.writeHead(reply.status, { ...reply.headers, 'content-length': length })
  if (reply.delivery === 'whole') return void response.end(reply.body)
  response.write(reply.body.slice(0, reply.body.length / 2), () => response.destroy())
}

/** The body as text. One that is too long is cut behind the bound, so that the service refuses it. */
async function read(request: NodeRequest): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of request) {
    length += part.length
    if (length > MOST_BYTES + (1 << 16)) break
    parts.push(part)
  }
  const decoder = new TextDecoder()
  return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode()
}
