// The playground: a verified reply, buttons that break it, a form for other transfers, and the rate limit.

import { backend, readReply, type Issue } from 'sendoff'
import pinned from '../../../tests/demo/deployment.json'
import { request } from './documents.js'
import { fillExample } from './example.js'
import { fill, text } from './fields.js'
import { followForm, refuse, startAnew } from './form.js'
import { hint } from './hints.js'
import { answer } from './in-page.js'
import { followLimit } from './limit.js'
import { ask } from './networks.js'
import { issuesOf } from './notice.js'
import { followOrder } from './order.js'
import { lead, show, the, write } from './page.js'
import { begin, fillPocket, followPocket, judgeEstimate, openPocket } from './pocket.js'
import { followPresets } from './presets.js'
import { changeReply, followReply, formChanged, showAnswer, verified } from './reply.js'
import { call, isGateway, type Answer } from './service.js'
import { followShare, restore, showCode } from './share.js'
import { addTransaction, fillTransactions } from './transactions.js'
import { followTransfer, showSigning } from './transfer.js'
import { uuid } from './uuid.js'

const form = the<HTMLFormElement>('form')
const ASK = 'Ask the service'
let sending = false
let service = text('service')

pin()
fillExample()
fill('jobId', uuid())
write(the('backend'), `sendoff, ${backend()}`)

// The fields of the type are shown first, and then checked.
form.addEventListener('input', changed)
followForm(send)
followReply()
followLimit()
followShare()
followPocket()
followOrder()
followTransfer(() => change(() => fill('jobId', uuid())))
followPresets((fields) => change(() => Object.entries(fields).forEach(([key, value]) => fill(`where.${key}`, value))))

the('example').addEventListener('click', example)
the('clear').addEventListener('click', () => change(clear))
the('new-job').addEventListener('click', () => change(() => fill('jobId', uuid())))
the('add-transaction').addEventListener('click', () => change(addTransaction))
for (const id of ['token', 'service']) the(id).addEventListener('change', askAnew)
the('service').addEventListener('change', chooseService)
addEventListener('hashchange', readFragment)
// The page computes the example, so that it is shown at once and without a network.
const shared = restore()
showExample()
if (shared) changeReply(shared)
readFragment()
changed()
// On a small screen the rules are folded, so that the form is not far below.
the<HTMLDetailsElement>('rules-fold').open = matchMedia('(min-width: 40rem)').matches

/** Reads the token from the fragment, which is not sent to servers. With a token, the gateway answers. */
function readFragment() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token !== null) {
    change(() => {
      fill('service', 'gateway')
      fill('token', token)
    })
  }
  void askAnew()
}

/** The pocket service has a user, assets and a deployment of its own; the others those of the demo. */
async function chooseService() {
  const before = service
  service = text('service')
  if (service === 'pocket') await openPocket()
  else if (before === 'pocket') {
    pin()
    fillExample()
  }
  changed()
}

/** Fills in an example that the chosen service can answer. */
async function example() {
  fillExample()
  if (service === 'pocket') await fillPocket()
  form.dispatchEvent(new Event('input'))
}

async function askAnew() {
  await ask(text('token'))
  hint()
}

/** Fills in the demo's deployment. */
function pin() {
  for (const [key, value] of Object.entries(pinned)) fill(`where.${key}`, String(value))
}

/** Clears the fields of the transfer, and keeps service, deployment and job. */
function clear() {
  startAnew()
  const kept = ['type', 'jobId', 'service', 'token']
  for (const field of form.querySelectorAll<HTMLInputElement>('input[name], textarea[name]')) {
    if (!kept.includes(field.name) && !field.name.startsWith('where.')) field.value = ''
  }
  fillTransactions([{ from: '', to: '', data: '0x', value: '0' }])
}

/** Changes the form, with the events of a change by the user. */
function change(alter: () => void) {
  alter()
  form.dispatchEvent(new Event('input'))
}

function changed() {
  for (const group of document.querySelectorAll<HTMLElement>('[data-types]')) {
    show(group, group.dataset.types!.split(' ').includes(text('type')))
  }
  show(the('token-field'), isGateway())
  write(the('service-hint'), isGateway() ? 'It needs an access token.' : 'Nothing leaves this page.')
  hint()
  formChanged(request())
  showSigning()
  showCode()
}

function showExample() {
  const asked = request()
  const reply = JSON.stringify(answer(asked))
  showAnswer(asked, { headers: new Headers(), text: reply, reply: readReply(reply) })
}

async function send() {
  if (sending) return
  sending = true
  write(the('send'), 'Asking…')
  begin()
  const asked = request()
  const replied = await call('estimate', asked)
  write(the('send'), ASK)
  sending = false
  showAnswer(asked, replied)
  if (service === 'pocket') void judgeEstimate(asked, 'trouble' in replied || replied.reply.status === 'error', verified()?.hash)
  const issues = issuesIn(replied)
  if (issues.length) refuse(issues)
  else lead(the('headline'))
}

/** The problems that the service found in the request. */
function issuesIn(answer: Answer): readonly Issue[] {
  if ('trouble' in answer || answer.reply.status === 'success') return []
  return issuesOf(answer.reply.details)
}
