// The second device: it verifies request and reply again, and shows the digits that the first device must show too.

import { backend, describeCall, safeSignable, type Issue, type Signable } from 'sendoff'
import pinned from '../../../tests/demo/deployment.json'
import { NAMES } from './chains.js'
import { disagreement } from './comparison.js'
import { code, coded } from './hex.js'
import { layOut } from './layout.js'
import { lead, make, show, the, write } from './page.js'
import { unpacked } from './parcel.js'
import { cost, digits, facts, warningList } from './signing.js'
import { showVerdict } from './verdict.js'

const [request, reply, deployment] = ['request', 'reply', 'deployment'].map((id) => the<HTMLTextAreaElement>(id)) as [
  HTMLTextAreaElement,
  HTMLTextAreaElement,
  HTMLTextAreaElement,
]

deployment.value = layOut(JSON.stringify(pinned))
write(the('backend'), `sendoff, ${backend()}`)

for (const field of [request, reply, deployment]) {
  field.addEventListener('input', judge)
  field.addEventListener('paste', (event) => {
    if (take(event.clipboardData?.getData('text') ?? '')) event.preventDefault()
  })
}
addEventListener('dragover', (event) => {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
})
addEventListener('drop', (event) => {
  const file = event.dataTransfer?.files[0]
  if (!file) return
  // Without this, the browser opens the file instead of the page.
  event.preventDefault()
  const field = event.target instanceof HTMLElement && event.target.closest('.field')?.querySelector('textarea')
  void file.text().then((text) => {
    if (take(text) || !field) return
    field.value = text
    judge()
  })
})
judge()

/** Fills in the data of the first device; returns `false` for any other text. */
function take(text: string): boolean {
  const parcel = unpacked(text)
  if (!parcel) return false
  request.value = layOut(parcel.request)
  reply.value = layOut(parcel.reply)
  judge()
  lead(the('compare-heading'))
  return true
}

function judge() {
  const ready = request.value.trim() !== '' && reply.value.trim() !== ''
  show(the('waiting'), !ready)
  show(the('verdict'), ready)
  if (!ready) return the('result').replaceChildren()
  const result = safeSignable(request.value, reply.value, deployment.value)
  if (result.ok) showVerdict(true, '. The reply does what the request asks for. Check that you want this.')
  else showVerdict(false, '. There are no digits. Do not sign on the first device.')
  the('result').replaceChildren(...(result.ok ? accepted(result.value) : [disagreement(result.issues.map(placed))]))
}

/** The operation: sentences, digits, warnings and cost. */
function accepted({ account: { call, operation }, hash, operation: { callData }, warnings }: Signable): HTMLElement[] {
  // The core's sentences, with the names that this page knows.
  const { sentences } = describeCall(callData, NAMES)
  return [
    make('ol', 'sentences', ...sentences.map((sentence) => make('li', '', ...coded(sentence)))),
    ...warningList(warnings),
    make('h2', '', 'Both devices must show'),
    digits(hash),
    facts([
      ['Wallet', code(call.from)],
      ['Fee payer', call.feePayer ? code(call.feePayer) : 'Nobody.'],
      ['Cost', cost(operation, call.chain)],
      ['Sent to', ...coded(`The EntryPoint ${operation.entryPoint} on chain ${operation.chainId}.`)],
    ]),
  ]
}

/** The root of the request and the root of the reply have no path. */
function placed(issue: Issue): Issue {
  return issue.path === '' && issue.code !== 'rule' ? { ...issue, path: 'request' } : issue
}
