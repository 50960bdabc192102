// The service: the gateway that serves this page, or the pocket service in the page.

import { inWords, OPERATIONS, readReply, SendoffError, type Operation, type Reply } from 'sendoff'
import { field } from './form.js'
import { make, uuid } from './page.js'
import { answerInPocket } from './pocket.js'

const PATIENCE = 15_000

/** The result of a call: a reply of the service, or the reason why there is no reply. */
export type Answer = { readonly headers: Headers; readonly text: string; readonly reply: Reply } | { readonly trouble: string }

/** The data of a reply, if it is a success. */
export const dataOf = (answer: Answer): unknown => ('reply' in answer && answer.reply.status === 'success' ? answer.reply.data : undefined)

export const isGateway = () => field('service').value === 'gateway'

/** Calls an operation whose path has no parameters. */
export async function call(id: Operation, body: string | null = null): Promise<Answer> {
  const { method, path } = OPERATIONS.find((operation) => operation.id === id)!
  const headers = new Headers({ 'x-request-id': uuid() })
  const token = field('token').value.trim()
  if (isGateway() && token) headers.set('authorization', `Bearer ${token}`)
  if (body !== null) headers.set('content-type', 'application/json')
  try {
    const request = new Request(path, { method, headers, body, signal: AbortSignal.timeout(PATIENCE) })
    const response = await (isGateway() ? fetch(request) : answerInPocket(request))
    return read(response, await response.text())
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError'
    const lost = late ? `has not answered for ${PATIENCE / 1000} seconds` : 'cannot be reached'
    return { trouble: `The gateway ${lost}. Is it running, and is there a network?` }
  }
}

/** Reads a reply. */
export function read({ headers, status }: Pick<Response, 'headers' | 'status'>, text: string): Answer {
  try {
    return { headers, text, reply: readReply(text, headers.get('retry-after') ?? undefined) }
  } catch (error) {
    if (!SendoffError.is(error)) throw error
    const kind = headers.get('content-type')?.split(';')[0] || 'of no type'
    return { trouble: `The answer is not a reply of the service: HTTP ${status}, ${kind}. ${error.message}.` }
  }
}

/** Why there is no success, in a sentence, with what the operator of the gateway needs; `undefined` if there is one. */
export function troubleOf(answer: Answer): string | undefined {
  if ('trouble' in answer) return answer.trouble
  if (answer.reply.status === 'success') return undefined
  const { code, errorCode, message, traceId } = answer.reply
  const words = inWords(answer.reply)
  const facts = [code, errorCode, words.issues.length ? '' : message, traceId && `trace \`${traceId}\``].filter(Boolean)
  return `${words.message} (${facts.join(', ')}.)`
}

export const notice = (...content: (Node | string)[]) => make('div', 'notice', make('p', '', ...content))
