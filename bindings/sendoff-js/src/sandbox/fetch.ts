import { own } from '../own.js'
import { TextEncoder } from '../sandbox-core.js'
import type { SandboxReply } from './types.js'

/** How long a reply that never comes is waited for. */
const NEVER_MS = 300_000

/** Statuses whose replies have no body. */
const BODILESS = [101, 204, 205, 304]

/** Returns a reply as `fetch` would: late, cut in the middle, or not at all. */
export async function delivered(reply: SandboxReply, sleep: (ms: number) => Promise<void>, signal?: AbortSignal): Promise<Response> {
  const { status, delivery, delayMs } = reply
  const wait = delivery === 'never' ? NEVER_MS : delayMs
  if (wait > 0) await Promise.race([sleep(wait), aborted(signal)])
  signal?.throwIfAborted()
  if (delivery === 'never') throw new TypeError('the connection was closed without a reply')
  const body = delivery === 'half' ? half(reply.body) : BODILESS.includes(status) ? null : reply.body
  return new Response(body, own({ status, headers: own(reply.headers) }))
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), own({ once: true })))
}

/** The first half of a body, and then an error. */
function half(body: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body.slice(0, body.length / 2)))
    },
    pull(controller) {
      controller.error(new TypeError('the connection was closed in the middle of the body'))
    },
  })
}
