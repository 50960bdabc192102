// The rate limit: its window filling, and the time to wait once it is full.

import { make, prose, show, the, write } from './page.js'
import { call, type Answered } from './service.js'

const KEPT = 10
const OUTCOMES = ['counted', 'answered', 'refused', 'lost'] as const
type Outcome = (typeof OUTCOMES)[number]

/** What the gateway tells of the caller's window, in seconds. Source: draft-ietf-httpapi-ratelimit-headers. */
interface Standing {
  readonly limit: number
  readonly length: number
  readonly remaining: number
  readonly reset: number
}

let standing: Standing | undefined
/** When the window ends, and until when calls are refused: milliseconds of the page's own clock. */
let endsAt = 0
let refusedUntil = 0
let ticking = 0

/** Makes the buttons send calls. */
export function followLimit(): void {
  let busy = false
  for (const [id, count] of Object.entries({ 'call-once': 1, 'call-ten': 10 })) {
    the(id).addEventListener('click', async () => {
      if (busy) return
      busy = true
      await callTimes(count)
      busy = false
    })
  }
}

async function callTimes(count: number) {
  const outcomes: Outcome[] = []
  for (let sent = 0; sent < count; sent++) {
    const outcome = await callOnce()
    outcomes.push(outcome)
    if (outcome === 'lost') break
  }
  const tally = (of: Outcome) => outcomes.filter((outcome) => outcome === of).length
  const parts = OUTCOMES.filter(tally).map((of) => (count > 1 ? `${tally(of)} ${of}` : of))
  const calls = count > 1 ? `${outcomes.length} calls` : 'The call'
  const silent = tally('answered') ? ' The gateway tells nothing of a window.' : ''
  // The countdown has the seconds, and is the only place that has them.
  const wait = refusedUntil > performance.now() ? ' Calls pass again when the countdown ends.' : ''
  write(the('limit-state'), `${calls}: ${parts.join(', ')}.${silent}`, make('span', 'unseen', wait))
}

async function callOnce(): Promise<Outcome> {
  const answer = await call('readContractData', '{}')
  if ('trouble' in answer) return listed('lost', answer.trouble)
  const { reply, headers } = answer
  read(answer)
  const passed = headers.has('ratelimit') ? 'counted' : 'answered'
  if (reply.status === 'success') return listed(passed, 'Success.')
  const code = reply.errorCode ? `${reply.code}, ${reply.errorCode}` : `${reply.code}`
  const trace = reply.traceId ? ` Trace \`${reply.traceId}\`.` : ''
  return listed(reply.code === 429 ? 'refused' : passed, `${code}: ${reply.message}.${trace}`)
}

function listed(outcome: Outcome, words: string): Outcome {
  const list = the('calls')
  list.prepend(make('li', outcome, make('span', 'state', outcome), make('span', '', ...prose(words))))
  while (list.children.length > KEPT) list.lastElementChild!.remove()
  return outcome
}

/** Reads what a reply tells of the window and of the time to wait. */
function read({ headers, reply }: Answered) {
  const part = (name: string, key: string) => {
    const [, number] = new RegExp(`;\\s*${key}=(\\d+)`).exec(headers.get(name) ?? '') ?? []
    return number === undefined ? undefined : Number(number)
  }
  const [limit, length] = [part('ratelimit-policy', 'q'), part('ratelimit-policy', 'w')]
  const [remaining, reset] = [part('ratelimit', 'r'), part('ratelimit', 't')]
  const now = performance.now()
  if (limit !== undefined && length !== undefined && remaining !== undefined && reset !== undefined) {
    standing = { limit, length, remaining, reset }
    endsAt = now + reset * 1000
  }
  if (reply.status === 'error' && reply.code === 429) refusedUntil = now + Number(headers.get('retry-after')) * 1000
  tick()
  clearInterval(ticking)
  ticking = setInterval(tick, 200)
}

function tick() {
  const now = performance.now()
  showWindow(now)
  const waiting = refusedUntil > now
  if (!waiting && !the('countdown').hidden) write(the('limit-state'), 'Calls pass again.')
  show(the('countdown'), waiting)
  write(the('countdown-time'), seconds(refusedUntil))
  if (now > endsAt && !waiting) clearInterval(ticking)
}

function showWindow(now: number) {
  show(the('window'), standing !== undefined)
  if (!standing) return
  const { limit, length, remaining } = standing
  const over = now > endsAt
  const bar = the<HTMLProgressElement>('used')
  bar.max = limit
  bar.value = over ? 0 : limit - remaining
  const text = over
    ? `It has ended. The next call begins one of ${length} seconds, for ${limit} calls.`
    : `${limit - remaining} of ${limit} calls are used.${refusedUntil > now ? '' : ` It ends in ${seconds(endsAt)}.`}`
  write(the('used-text'), text)
}

/** The time left, rounded up, as the gateway does. */
function seconds(until: number) {
  const left = Math.max(0, Math.ceil((until - performance.now()) / 1000))
  return left === 1 ? '1 second' : `${left} seconds`
}
