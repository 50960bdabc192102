// A reply of the gateway: judged as it came, and again whenever the person changes it.

import { safeSignable, SendoffError, verifyEstimate } from 'sendoff'
import type { EstimateRequest, Issue, Signable } from 'sendoff'
import { attacked, ATTACKS, differences } from './attacks.js'
import { deployment } from './documents.js'
import type { Answer } from './gateway.js'
import { layOut } from './layout.js'
import { notice } from './notice.js'
import { make, prose, show, the, write } from './page.js'
import { packed } from './parcel.js'
import { judgements, ruleItem, type Judgement } from './rules.js'
import { coded, cost, digits, warningList } from './signing.js'
import { callInWords } from './words.js'

const area = the<HTMLTextAreaElement>('text')
const tamper = the<HTMLInputElement>('tamper')
const parcel = the<HTMLTextAreaElement>('parcel')

/** The request that was sent, and the reply as it came. */
let sent: { readonly request: string; readonly reply: string } | undefined

/** Makes the reply's text and the switch answer to the person. */
export function followReply(): void {
  for (const attack of ATTACKS) {
    addAttack(attack.name, () => layOut(attacked(JSON.parse(sent!.reply), attack)))
  }
  the('put-back').addEventListener('click', () => change(sent!.reply))
  area.addEventListener('input', () => change(area.value))
  tamper.addEventListener('change', () => {
    area.readOnly = !tamper.checked
    show(the('tampering'), tamper.checked)
    change(tamper.checked ? area.value : sent!.reply)
  })
  the('copy').addEventListener('click', copy)
}

/** Shows what came of a request. */
export function showAnswer(request: string, answer: Answer): void {
  const failure = 'trouble' in answer ? answer : answer.reply.status === 'error' ? answer.reply : undefined
  show(the('reply-none'), false)
  show(the('reply'), !failure)
  show(the('reply-stale'), false)
  the('reply-trouble').replaceChildren(...(failure ? [notice(failure)] : []))
  if ('trouble' in answer || failure) return (sent = undefined)
  sent = { request, reply: layOut(answer.text) }
  area.value = sent.reply
  tamper.checked = false
  show(the('tamper-switch'), verifyEstimate(request, sent.reply).ok)
  tamper.dispatchEvent(new Event('change'))
}

/** Takes notice of the form: its deployment holds at once, its request when it is sent. */
export function formChanged(request: string): void {
  if (!sent) return
  show(the('reply-stale'), request !== sent.request)
  judgeReply()
}

function judgeReply() {
  const { request, reply } = sent!
  const judged = judgements(request, area.value, deployment())
  showVerdict(judged)
  the('rules').replaceChildren(...judged.map(ruleItem))
  the('words').replaceChildren(words(JSON.parse(request)))
  const result = safeSignable(request, area.value, deployment())
  the('signable').replaceChildren(...(result.ok ? toSign(result.value) : [make('p', 'finding', why(result.issues))]))
  the('code').replaceChildren(result.ok ? digits(result.value.hash) : make('p', 'finding', 'There are no digits.'))
  parcel.value = packed({ request, reply: area.value })
  write(the('copied'), '')
  show(parcel, false)
  write(the('altered'), ...prose(altered(reply)))
}

function addAttack(name: string, attack: () => string) {
  const button = make('button', '', name)
  button.type = 'button'
  button.ariaPressed = 'false'
  button.addEventListener('click', () => change(attack(), button))
  the('put-back').before(button)
}

/** Puts a text in the reply's place, by the button of an attack or otherwise. */
function change(reply: string, by?: HTMLButtonElement) {
  if (area.value !== reply) area.value = reply
  for (const button of the('attacks').querySelectorAll('[aria-pressed]')) button.ariaPressed = `${button === by}`
  judgeReply()
}

function showVerdict(judged: readonly Judgement[]) {
  const failed = judged.filter(({ state }) => state === 'failed').map(({ line }) => `\`${line.name}\``)
  const [word, rest] = failed.length
    ? ['Refused', ` for ${failed.join(', ')}. There is nothing to sign.`]
    : ['Verified', '. It is what you asked for, and may be signed.']
  the('verdict').className = `verdict ${word.toLowerCase()}`
  write(the('verdict'), make('strong', '', word), ...prose(rest))
}

function words(request: EstimateRequest): HTMLElement {
  try {
    return callInWords(JSON.parse(area.value).data.userOps.callData, request)
  } catch (error) {
    if (SendoffError.is(error)) return make('p', 'finding', ...prose(`The call data cannot be read: ${error.message}.`))
    return make('p', 'finding', 'There is no call data in the reply.')
  }
}

function toSign({ hash, digest, account: { operation }, warnings }: Signable): HTMLElement[] {
  const list = make('dl', 'facts')
  const tell = (term: string, ...text: (Node | string)[]) => {
    list.append(make('dt', '', term), make('dd', '', ...text))
  }
  tell('Hash', Object.assign(make('code', 'whole', hash), { id: 'hash' }))
  tell('Digest', Object.assign(make('code', 'whole', digest), { id: 'digest' }))
  tell('Cost', cost(operation))
  tell('Sent to', ...coded(`The EntryPoint ${operation.entryPoint} on chain ${operation.chainId}.`))
  return [...warningList(warnings), list]
}

function why(issues: readonly Issue[]) {
  const there = issues.some(({ path }) => path.startsWith('where.'))
  return there ? 'No hash: the deployment in the form cannot be read.' : 'No hash: the reply is refused.'
}

/** Copies what the second device needs, or shows it where the browser does not let a page copy. */
async function copy() {
  try {
    await navigator.clipboard.writeText(parcel.value)
    write(the('copied'), 'Copied.')
  } catch {
    show(parcel, true)
    parcel.select()
    write(the('copied'), 'Copy the selected text.')
  }
}

function altered(reply: string) {
  try {
    const places = differences(JSON.parse(reply), JSON.parse(area.value)).map((path) => `\`${path}\``)
    return places.length ? `Changed: ${places.join(', ')}.` : 'Nothing is changed.'
  } catch {
    return 'The text is no JSON any more.'
  }
}
