// The service: the gateway that serves this page, the pocket service in the page, or the core in it.

import { OPERATIONS, readReply, SendoffError, type Operation, type Reply } from 'sendoff'
import { text } from './fields.js'
import { answerInPage } from './in-page.js'
import { answerInPocket } from './pocket.js'
import { uuid } from './uuid.js'

const PATIENCE = 15_000

/** The result of a call: a reply of the service, or the reason why there is no reply. */
export type Answer = Answered | Lost

export interface Answered {
  readonly headers: Headers
  /** The text of the reply. */
  readonly text: string
  readonly reply: Reply
}

export interface Lost {
  /** In words. */
  readonly trouble: string
}

export const isGateway = () => text('service') === 'gateway'

/** Who answers. */
const SERVICES: { readonly [service: string]: (request: Request) => Promise<Response> } = {
  gateway: (request) => fetch(request),
  page: answerInPage,
  pocket: answerInPocket,
}

/** Calls an operation whose path has no parameters. A query begins with `?`. */
export async function call(id: Operation, body: string | null = null, query = ''): Promise<Answer> {
  const { method, path } = OPERATIONS.find((operation) => operation.id === id)!
  const headers = new Headers({ 'x-request-id': uuid() })
  const token = text('token')
  if (isGateway() && token) headers.set('authorization', `Bearer ${token}`)
  if (body !== null) headers.set('content-type', 'application/json')
  const request = new Request(path + query, { method, headers, body, signal: AbortSignal.timeout(PATIENCE) })
  let response, replied
  try {
    response = await SERVICES[text('service')]!(request)
    replied = await response.text()
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError'
    const lost = late ? `has not answered for ${PATIENCE / 1000} seconds` : 'cannot be reached'
    return { trouble: `The ${isGateway() ? 'gateway' : 'service'} ${lost}. Is it running, and is there a network?` }
  }
  return read(response, replied)
}

function read({ headers, status }: Response, text: string): Answer {
  try {
    return { headers, text, reply: readReply(text) }
  } catch (error) {
    if (!SendoffError.is(error)) throw error
    const kind = headers.get('content-type')?.split(';')[0] || 'of no type'
    return { trouble: `The answer is not a reply of the service: HTTP ${status}, ${kind}. ${error.message}.` }
  }
}
