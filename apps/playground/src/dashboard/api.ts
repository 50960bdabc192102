// The admin API of the gateway that serves this page. A call that was lost is made again with the same key, so that it is made once.

import { inWords, messages, readReply, SendoffError, type Messages, type Reply } from 'sendoff'
import { uuid } from '../page.js'

const PATIENCE = 15_000

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The data of an answer, or the reason for none, with the problems of fields by their paths. */
export type Answer<T> = { readonly data: T } | { readonly trouble: string; readonly problems: ReadonlyMap<string, string> }

/** The package's words, and those for what only an operator writes. */
const WORDS: Messages = {
  ...messages,
  name: 'Enter a name of 1 to 64 characters that no application has yet.',
  clientSWA: messages['Address']!,
  tokenAddress: messages['TokenAddress']!,
  'tokens rule': 'This token is there already.',
  tokens: 'Enter a symbol and an address that this chain does not have yet.',
  policy: 'Enter whole numbers: from 1 to 2,097,151 calls, and from 1 to 86,400 seconds.',
  origins: 'Enter an origin, such as https://shop.example, without a slash at its end.',
  reply: 'The gateway did not do this.',
  'reply 401': 'The gateway does not accept this token.',
  'reply 404': 'It is not there any more.',
  'reply 429': 'Too many wrong tokens came from here. Wait a minute.',
}

let token = ''

/** From now on, calls have this credential. */
export function signIn(credential: string): void {
  token = credential
}

/** Calls the admin API. */
export async function call<T>(method: Method, path: string, body?: unknown): Promise<Answer<T>> {
  const headers = new Headers({ authorization: `Bearer ${token}` })
  if (method !== 'GET') headers.set('idempotency-key', uuid())
  const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) }
  const send = () => fetch(`/admin/v1${path}`, { ...init, signal: AbortSignal.timeout(PATIENCE) })
  try {
    const reply = readReply(await (await send().catch(send)).text())
    return reply.status === 'success' ? { data: reply.data as T } : refused(reply)
  } catch (error) {
    const trouble = SendoffError.is(error) ? 'The answer is not a reply of the admin API.' : 'The gateway cannot be reached. Is it running, and is there a network?'
    return { trouble, problems: new Map() }
  }
}

function refused(reply: Extract<Reply, { status: 'error' }>): Answer<never> {
  const { message, issues } = inWords(reply, WORDS)
  // The part of a path that is a field; a place in a list is of no use to a person.
  const problems = new Map(issues.map(({ path, message }) => [path.filter((key) => typeof key === 'string').at(-1) ?? '', message]))
  return { trouble: [message, ...new Set(problems.values())].join(' '), problems }
}
