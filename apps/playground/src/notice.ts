// The reason why there is no answer, for people.

import type { Issue, Reply } from 'sendoff'
import type { Lost } from './service.js'
import { make, prose } from './page.js'

type Failure = Extract<Reply, { status: 'error' }>

/** The meaning of an error reply, in a sentence. */
export function sentence({ code, message, details }: Failure): string {
  if (code === 401) return 'The gateway does not accept the access token.'
  if (code === 429) return 'The rate limit is reached.'
  if (issuesOf(details).length) return 'The service refuses this request. The form shows what to correct.'
  return `The service refuses: ${message}.`
}

/** The problems that the service found in a request, by the paths of its fields. */
export function issuesOf(details: Failure['details']): readonly Issue[] {
  return (details as { issues?: readonly Issue[] } | null | undefined)?.issues ?? []
}

/** An error reply with everything that the operator of the gateway needs, or the reason why no reply came. */
export function notice(failure: Failure | Lost): HTMLElement {
  if ('trouble' in failure) return make('div', 'notice', make('p', 'title', ...prose(failure.trouble)))
  const { code, errorCode, message, traceId } = failure
  const title = sentence(failure)
  const facts = make('dl', 'facts')
  const tell = (term: string, text: string) => facts.append(make('dt', '', term), make('dd', '', text))
  tell('Code', errorCode ? `${code}, ${errorCode}` : `${code}`)
  if (!title.includes(message)) tell('Message', message)
  if (traceId) tell('Trace', traceId)
  return make('div', 'notice', make('p', 'title', ...prose(title)), facts)
}
