import { operationPath, safeReadReply, type Operation, type Reply } from 'sendoff'

/** An answer of the service: the reply, its text, and the seconds to wait if the limit is reached. */
export interface Answer {
  readonly reply: Reply
  readonly text: string
  readonly retryAfter: number
}

/** Sends a document to an operation without path parameters. */
export async function post(operation: Operation, document: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(document) }
  const response = await fetch(operationPath(operation, {}), init).catch(() => new Response(null, { status: 502 }))
  const text = await response.text()
  const read = safeReadReply(text)
  const reply = read.ok ? read.value : { ...LOST, code: response.status }
  return { reply, text, retryAfter: Number(response.headers.get('retry-after')) || 0 }
}

/** Nothing came, or the page of a proxy. The same document may be sent again: the service carries a job out once. */
const LOST = { status: 'error', message: 'The service does not answer. Try again.' } as const
