// The playground: from an intent to what is signed, and the rate limit.

import { backend, type Issue } from 'sendoff'
import pinned from '../../../tests/demo/deployment.json'
import { request } from './documents.js'
import { fillExample } from './example.js'
import { fill, text } from './fields.js'
import { followForm, refuse } from './form.js'
import { call, type Answer } from './gateway.js'
import { hint } from './hints.js'
import { newJobId } from './job-id.js'
import { followLimit } from './limit.js'
import { ask } from './networks.js'
import { lead, show, the, write } from './page.js'
import { followReply, formChanged, showAnswer } from './reply.js'
import { addTransaction } from './transactions.js'

const form = the<HTMLFormElement>('form')
let sending = false

for (const [key, value] of Object.entries(pinned)) fill(`where.${key}`, String(value))
fill('jobId', newJobId())
addTransaction()
write(the('backend'), `sendoff, ${backend()}`)

// First the fields of the type are shown, then what is shown is judged.
form.addEventListener('input', changed)
followForm(send)
followReply()
followLimit(() => text('token'))

the('example').addEventListener('click', () => change(fillExample))
the('new-job').addEventListener('click', () => change(() => fill('jobId', newJobId())))
the('add-transaction').addEventListener('click', () => change(addTransaction))
the('token').addEventListener('change', askAnew)
addEventListener('hashchange', readFragment)
readFragment()
changed()

/** Takes the token from the fragment, which never reaches a server. */
function readFragment() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token !== null) change(() => fill('token', token))
  void askAnew()
}

async function askAnew() {
  await ask(text('token'))
  hint()
}

/** Changes the form as if the person had. */
function change(alter: () => void) {
  alter()
  form.dispatchEvent(new Event('input'))
}

function changed() {
  for (const group of document.querySelectorAll<HTMLElement>('[data-types]')) {
    show(group, group.dataset.types!.split(' ').includes(text('type')))
  }
  hint()
  formChanged(request())
}

async function send() {
  if (sending) return
  sending = true
  write(the('send'), 'Sending…')
  const asked = request()
  const answer = await call('estimate', text('token'), asked)
  write(the('send'), 'Send to the gateway')
  sending = false
  showAnswer(asked, answer)
  const issues = issuesIn(answer)
  if (issues.length) refuse(issues)
  else lead(the('reply-heading'))
}

/** The problems that the gateway found in the request. */
function issuesIn(answer: Answer): readonly Issue[] {
  if ('trouble' in answer || answer.reply.status === 'success') return []
  return (answer.reply.details as { issues?: readonly Issue[] } | null | undefined)?.issues ?? []
}
