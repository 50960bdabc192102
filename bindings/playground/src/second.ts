// The second device: it verifies request and reply again, and shows the digits that the first device must show too.

import { backend, safeSignable, type Issue, type Signable } from 'sendoff'
import pinned from '../../../tests/demo/deployment.json'
import { layOut } from './layout.js'
import { lead, make, show, the, write } from './page.js'
import { unpacked } from './parcel.js'
import { coded, cost, digits, warningList } from './signing.js'

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
  // Without this the browser leaves the page for the file.
  event.preventDefault()
  const field = event.target instanceof HTMLElement && event.target.closest('.field')?.querySelector('textarea')
  void file.text().then((text) => {
    if (take(text) || !field) return
    field.value = text
    judge()
  })
})
judge()

/** Fills in what the first device copied; `false` if the text is anything else. */
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
  const [word, rest] = result.ok
    ? ['Verified', '. The reply does what the request asks for. Check that you want this.']
    : ['Refused', '. There are no digits. Do not sign on the first device.']
  the('verdict').className = `verdict ${word.toLowerCase()}`
  write(the('verdict'), make('strong', '', word), rest)
  the('result').replaceChildren(...(result.ok ? accepted(result.value) : [refused(result.issues)]))
}

/** What is signed: sentences, digits, warnings, and what it costs. */
function accepted({ account: { call, operation }, hash, warnings }: Signable): HTMLElement[] {
  const facts = make('dl', 'facts')
  const tell = (term: string, ...text: (Node | string)[]) => {
    facts.append(make('dt', '', term), make('dd', '', ...text))
  }
  tell('Wallet', make('code', '', call.from))
  tell('Fee payer', call.feePayer ? make('code', '', call.feePayer) : 'Nobody.')
  tell('Cost', cost(operation))
  tell('Sent to', ...coded(`The EntryPoint ${operation.entryPoint} on chain ${operation.chainId}.`))
  return [
    make('ol', 'sentences', ...call.sentences.map((sentence) => make('li', '', ...coded(sentence)))),
    ...warningList(warnings),
    make('h3', '', 'Both devices must show'),
    digits(hash),
    facts,
  ]
}

/** Why there are no digits: a field at a time, both values side by side. */
function refused(issues: readonly Issue[]): HTMLElement {
  const items = issues.map(({ path, field, expected, found, message, code }) => {
    const root = code === 'rule' ? 'reply' : 'request'
    const item = make('li', '', make('h3', '', make('code', '', field ?? (path || root))))
    if (expected === undefined || found === undefined) item.append(make('p', '', ...coded(message)))
    else {
      const values = { Expected: expected, Found: found }
      const pairs = Object.entries(values).map(([term, value]) =>
        make('div', '', make('dt', '', term), make('dd', '', make('code', '', value))),
      )
      item.append(make('dl', 'pair', ...pairs))
    }
    return item
  })
  return make('ul', 'issues', ...items)
}
