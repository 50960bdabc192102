// A whole service behind a guard, in Node: the core answers its operations, and a backend the others.

import { own } from '../own.js'
import { answer, type Answers, ANSWERS } from './answer.js'
import { expectUnread, MOST_BYTES, textOf } from './body.js'
import { type Backend, forward, prepared } from './forward.js'
import type { Passed } from './guard.js'
import type { BackendReply, Incoming } from './node.js'
import { checked, isFunction, type Rules } from './options.js'
import { failureReply, Refused } from './reply.js'

/** What answers the calls that pass a guard. */
export interface Service<Caller = unknown> extends Answers<Caller> {
  /** The backend for the operations that the core does not answer. Without it they are refused with 501. */
  readonly backend?: Backend | undefined
  /** Called with each error that is not the caller's, for a log. Absent means `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** @internal */
export const ERRORS: Rules = { onError: isFunction }

/** @internal */
export const SERVICE: Rules = { ...ANSWERS, backend: (value) => void prepared(value as Backend), ...ERRORS }

/** @internal */
export function checkedService<Caller>(service: Service<Caller>): Service<Caller> {
  return checked(service, SERVICE, 'facts', 'catalogue')
}

/** @internal */
export interface Served {
  readonly status: number
  readonly headers: BackendReply['headers']
  readonly body: string | BackendReply['body']
}

/**
 * The reply to a call that passed a guard.
 *
 * @internal
 */
export async function serve<Caller>(incoming: Incoming, passed: Passed<Caller>, service: Service<Caller>): Promise<Served> {
  const { backend } = own(service)
  const body = await answer(passed, { target: incoming.url ?? '', text: () => bodyOf(incoming) }, service)
  if (body) return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  if (!backend) throw new Refused({ refused: 'no-backend', operation: passed.operation })
  return forward(incoming, backend)
}

/**
 * The reply to a call that failed. An error of the host is told to `onError`.
 *
 * @internal
 */
export function failed(traceId: string, error: unknown, service: Pick<Service, 'onError'>) {
  const { onError = console.error } = own(service)
  const { status, headers, body } = failureReply(traceId, error)
  if (status === 500) onError(error)
  return { status, headers, body: JSON.stringify(body) }
}

/** The text of a body that nobody has read. */
async function bodyOf(incoming: Incoming): Promise<string> {
  expectUnread(incoming)
  // A body that is too long is refused before it comes.
  if (Number(own(incoming.headers)['content-length'] ?? 0) > MOST_BYTES) throw new Refused({ refused: 'too-large', most: MOST_BYTES })
  const parts = incoming[Symbol.asyncIterator]()
  return textOf(() => parts.next())
}
