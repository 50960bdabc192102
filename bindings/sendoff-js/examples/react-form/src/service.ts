import { operationPath, readReply, type Operation, type Reply } from 'sendoff'

/** An answer of the service: the reply, its text, and the seconds to wait if the limit is reached. */
export interface Answer {
  readonly reply: Reply
  readonly text: string
  readonly retryAfter: number
}

/** Sends a document to an operation without path parameters. */
export async function post(operation: Operation, document: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(operationPath(operation, {}), { method: 'POST', headers, body: JSON.stringify(document) })
  const text = await response.text()
  const retryAfter = response.status === 429 ? Number(response.headers.get('retry-after')) : 0
  return { reply: readReply(text), text, retryAfter }
}
