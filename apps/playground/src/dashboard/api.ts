// The admin API of the gateway that serves this page. A call that was lost is made again with the same key, so that it is made once.

import { readReply, SendoffError } from 'sendoff'
import { uuid } from '../page.js'

const PATIENCE = 15_000

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A problem of a request, with its path. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** The data of an answer, or the reason for none. */
export type Answer<T> = { readonly data: T } | { readonly trouble: string; readonly problems: readonly Problem[] }

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
    return read(await (await send().catch(send)).text())
  } catch {
    return lost('The gateway cannot be reached. Is it running, and is there a network?')
  }
}

function read<T>(text: string): Answer<T> {
  try {
    const reply = readReply(text)
    if (reply.status === 'success') return { data: reply.data as T }
    const issues = (reply.details as { issues?: readonly Problem[] } | undefined)?.issues ?? []
    if (reply.code === 401) return lost('The gateway does not accept this token.')
    if (reply.code === 429) return lost('Too many wrong tokens came from here. Wait a minute.')
    const named = issues.map(({ path, message }) => (path ? `\`${path}\`: ${message}` : message))
    return { trouble: `${named.join('; ') || reply.message}.`, problems: issues }
  } catch (error) {
    if (!SendoffError.is(error)) throw error
    return lost('The answer is not a reply of the admin API.')
  }
}

function lost(trouble: string): { trouble: string; problems: readonly Problem[] } {
  return { trouble, problems: [] }
}
