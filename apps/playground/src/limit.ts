// The rate limit: its window filling, and the time to wait once it is full.

import { the, write } from './page.js'
import { call, troubleOf } from './service.js'

/** Makes the buttons send calls. */
export function followLimit(): void {
  const buttons = ['call-once', 'call-ten'].map((id) => the<HTMLButtonElement>(id))
  for (const [at, button] of buttons.entries()) {
    button.addEventListener('click', async () => {
      for (const each of buttons) each.disabled = true
      await callTimes(at ? 10 : 1)
      for (const each of buttons) each.disabled = false
      button.focus()
    })
  }
}

async function callTimes(count: number) {
  let [counted, refused, words] = [0, 0, '']
  for (let sent = 0; sent < count; sent += 1) {
    const answer = await call('readContractData', '{}')
    const trouble = troubleOf(answer)
    if ('trouble' in answer) return write(the('limit-state'), answer.trouble)
    const isRefused = answer.reply.status === 'error' && answer.reply.code === 429
    if (isRefused) refused += 1
    else counted += 1
    const seconds = answer.headers.get('retry-after')
    words = isRefused && seconds ? ` Calls pass again in ${seconds} s.` : isRefused ? ` ${trouble}` : show(answer.headers)
  }
  write(the('limit-state'), `${counted} counted, ${refused} refused.${words}`)
}

/** Shows what a reply tells of the caller's window, if it does. Source: draft-ietf-httpapi-ratelimit-headers. */
function show(headers: Headers): string {
  const part = (name: string, key: string) => Number(new RegExp(`;\\s*${key}=(\\d+)`).exec(headers.get(name) ?? '')?.[1])
  const [limit, left, ends] = [part('ratelimit-policy', 'q'), part('ratelimit', 'r'), part('ratelimit', 't')]
  if (!(limit > 0)) return ''
  Object.assign(the<HTMLProgressElement>('used'), { max: limit, value: limit - left, hidden: false })
  return ` ${limit - left} of ${limit} calls are used; the window ends in ${ends} s.`
}
