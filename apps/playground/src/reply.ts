// A reply of the service. It is verified when it arrives, and after each change by the user.

import { safeSignable, verifyEstimate, type EstimateRequest, type Signable, type SignedOperation } from 'sendoff'
import { ATTACKS, attacked, differences, SWAP, type Attack } from './attacks.js'
import { NAMES } from './chains.js'
import { agreement, disagreement } from './comparison.js'
import { deployment } from './documents.js'
import { describeRequest, headline } from './headline.js'
import { code, coded } from './hex.js'
import { layOut } from './layout.js'
import { linesOf } from './lines.js'
import { notice } from './notice.js'
import { make, prose, show, the, write } from './page.js'
import { packed } from './parcel.js'
import { refusal } from './refusal.js'
import { judgements, listRules, showRules } from './rules.js'
import type { Answer } from './service.js'
import { cost, digits, facts, leftToServer, verdictOf, warningList } from './signing.js'
import { gwei } from './units.js'
import { showVerdict } from './verdict.js'
import { callInWords } from './words.js'

const area = the<HTMLTextAreaElement>('text')
const parcel = the<HTMLTextAreaElement>('parcel')
const challenge = the<HTMLInputElement>('challenge')

/** The sent request, and the unchanged reply. */
let sent: { readonly request: string; readonly reply: string } | undefined
/** The attack that changed the reply, if it was a button. */
let attack: Attack | undefined
/** The operation and its effects, if the reply is right. */
let right: Signable | undefined

/** What may be signed; `undefined` if nothing may. */
export const verified = () => right

/** Connects the buttons and the text of the reply. */
export function followReply(): void {
  const change = (by: Attack) => put(layOut(attacked(JSON.parse(sent!.reply), by)), by)
  listRules(the('rules'), change)
  the('swap').addEventListener('click', () => change(SWAP))
  the('put-back').addEventListener('click', () => {
    put(sent!.reply)
    the('swap').focus()
  })
  area.addEventListener('input', () => put(area.value))
  the('copy').addEventListener('click', copy)
  challenge.addEventListener('input', showDigits)
}

/** Shows the result of a request. */
export function showAnswer(request: string, answer: Answer): void {
  const failure = 'trouble' in answer ? answer : answer.reply.status === 'error' ? answer.reply : undefined
  show(the('reply'), !failure)
  show(the('reply-stale'), false)
  the('reply-trouble').replaceChildren(...(failure ? [notice(failure)] : []))
  sent = right = undefined
  document.dispatchEvent(new Event('judged'))
  if ('trouble' in answer || failure) return showHeadline(JSON.parse(request))
  sent = { request, reply: layOut(answer.text) }
  // The attacks need a valid reply.
  const first = safeSignable(request, sent.reply, deployment(), NAMES)
  const isRight = verifyEstimate(request, sent.reply).ok
  showHeadline(JSON.parse(request), first.ok ? first.value.account.operation : undefined)
  document.body.classList.toggle('tampering', isRight)
  area.readOnly = !isRight
  put(sent.reply)
}

/** What was done to the reply, for a link. */
export function replyChange(): { readonly attack?: string; readonly reply?: string } {
  if (!sent || area.value === sent.reply) return {}
  return attack ? { attack: attack.name } : { reply: area.value }
}

/** Changes the reply as a link says. */
export function changeReply(by: { readonly attack?: string | undefined; readonly reply?: string | undefined }): void {
  const known = ATTACKS.find(({ name }) => name === by.attack)
  if (!sent) return
  if (known && document.body.classList.contains('tampering')) put(layOut(attacked(JSON.parse(sent.reply), known)), known)
  else if (by.reply !== undefined) put(by.reply)
}

/** Called after changes of the form: its deployment takes effect at once, its request when it is sent. */
export function formChanged(request: string): void {
  if (!sent) return
  show(the('reply-stale'), request !== sent.request)
  judgeReply()
}

/** Replaces the text of the reply, by an attack or by hand. */
function put(reply: string, by?: Attack) {
  if (area.value !== reply) area.value = reply
  attack = by
  judgeReply()
}

function judgeReply() {
  const { request, reply } = sent!
  const asked: EstimateRequest = JSON.parse(request)
  const result = safeSignable(request, area.value, deployment(), NAMES)
  const judged = judgements(request, area.value, result.ok ? [] : result.issues)
  const failed = judged.filter(({ state }) => state === 'failed')
  const { reason, rules } = refusal(failed)
  if (result.ok) showVerdict(true, verdictOf(result.value))
  else showVerdict(false, `. ${reason} There is nothing to sign.`, rules)
  showRules(the('rules'), judged, attack)
  const compared = result.ok
    ? [agreement(...recipientOf(asked)), wallet(result.value)]
    : [disagreement(failed.flatMap(({ findings }) => findings)), wallet()]
  // Content that is already shown is not animated again.
  write(the('comparison'), ...compared)
  the('words').replaceChildren(callInWords(area.value, asked))
  the('warnings').replaceChildren(...(result.ok ? warningList(result.value.warnings) : []))
  the('signable').replaceChildren(result.ok ? toSign(result.value) : make('p', 'finding', 'Nothing.'))
  right = result.ok ? result.value : undefined
  showDigits()
  showTampering(reply)
  showFaults(failed.flatMap(({ findings }) => findings))
  parcel.value = packed({ request, reply: area.value })
  write(the('copied'), '')
  show(parcel, false)
  document.dispatchEvent(new Event('judged'))
}

/** The lines of the reply's text with a problem. A button selects its line. */
function showFaults(findings: readonly { readonly path: string; readonly message: string }[]) {
  const { of, fault } = linesOf(area.value)
  const places = fault === undefined
    ? findings.map(({ path, message }) => ({ line: of.get(path) ?? of.get(path.slice(0, path.lastIndexOf('.'))) ?? 1, words: message }))
    : [{ line: fault, words: 'Here the text is not JSON any more' }]
  const items = places.map(({ line, words }) => {
    const button = Object.assign(make('button', 'line', `Line ${line}`), { type: 'button' })
    button.addEventListener('click', () => selectLine(line))
    return make('li', '', button, ' ', ...coded(`${words}.`))
  })
  the('faults').replaceChildren(...items)
}

function selectLine(line: number) {
  const lines = area.value.split('\n')
  const from = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0)
  area.focus()
  area.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0))
  area.scrollTop = (area.scrollHeight / lines.length) * Math.max(0, line - 4)
}

function showDigits() {
  const typed = challenge.value.replace(/\s/g, '')
  const isNumber = /^\d{6,32}$/.test(typed)
  const hash = right?.hash
  const sentence = hash ? 'There are no digits without its number.' : 'There are no digits.'
  the('code').replaceChildren(hash && isNumber ? digits(hash, typed) : make('p', hash ? 'hint' : 'finding', sentence))
}

function showTampering(reply: string) {
  const isChanged = area.value !== reply
  show(the('put-back'), isChanged)
  the('swap').ariaPressed = `${attack === SWAP}`
  write(the('altered'), ...prose(isChanged ? altered(reply) : ''))
}

function showHeadline(request: EstimateRequest, operation?: SignedOperation) {
  const described = describeRequest(request)
  the('headline').replaceChildren(...headline(described, operation))
  const list = described.moves.length > 1 ? described.sentences : []
  show(the('moves'), list.length > 0)
  the('moves').replaceChildren(...list.map((sentence) => make('li', '', ...coded(sentence))))
}

/** The target of the first move, as both sides of the comparison name it. */
function recipientOf({ type, details }: EstimateRequest): [path: string, value: string] {
  if (type !== 'RAW_TRANSACTION') return ['details.recipientWalletAddress', details.recipientWalletAddress]
  return ['details.transactions.0.to', details.transactions[0]!.to]
}

/** What is done with the hash, by the form that the account checks. */
const SIGNED = {
  personal: 'Your wallet signs this hash, as a message',
  raw: 'Your key signs this hash itself',
  typedData: 'Your wallet signs typed data with this hash',
}

/** The data that the wallet signs. */
function wallet(right?: Signable): HTMLElement {
  const given = right
    ? Object.assign(make('p', 'given', code(right.hash)), { id: 'hash' })
    : make('p', 'given nothing', 'Nothing')
  const label = right ? SIGNED[right.account.operation.signs] : 'Your wallet signs'
  return make('div', 'wallet', make('p', 'label', label), given)
}

function toSign(signable: Signable): HTMLElement {
  const { digest, account: { operation } } = signable
  const shown = code(digest)
  shown.id = 'digest'
  return facts([
    ['Pass to the wallet', { personal: 'The hash, to signMessage.', raw: 'The hash, to a signer of 32 bytes.', typedData: 'The typed data, to signTypedData.' }[operation.signs]],
    ['For a signer of bytes', shown],
    ['Cost', cost(operation)],
    ['Fees', `At most ${gwei(operation.maxFeePerGas)} for a unit of gas, ${gwei(operation.maxPriorityFeePerGas)} of it as tip.`],
    ['Sent to', ...coded(`The EntryPoint ${operation.entryPoint} on chain ${operation.chainId}.`)],
    ...leftToServer(signable),
  ])
}

/** Copies the data for the second device, or shows it if the browser does not allow copying. */
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
    return places.length ? `Changed: ${places.join(', ')}.` : 'Only white space is changed.'
  } catch {
    return 'The text is not JSON.'
  }
}
