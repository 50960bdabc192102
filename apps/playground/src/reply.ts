// A reply of the service. It is verified when it arrives, and after each change by the user.

import { decodeCall, describeCall, encodeCall, safeSignable, type Signable } from 'sendoff'
import { NAMES } from './chains.js'
import { deployment } from './form.js'
import { describeRequest, headline } from './headline.js'
import { code } from './hex.js'
import { layOut } from './json.js'
import { copy, facts, make, the, write } from './page.js'
import { differences, digits, pair, sentences, showVerdict, terms, warningList } from './signing.js'

const area = the<HTMLTextAreaElement>('text')
const challenge = the<HTMLInputElement>('challenge')
const swap = the<HTMLButtonElement>('swap')
const STRANGER = '0x000000000000000000000000000000000000dEaD'

/** The sent request, the reply as it came, and a reply that lies about the same request. */
let sent: { readonly request: string; readonly reply: string; readonly lie: string } | undefined
let right: Signable | undefined

/** Connects the buttons and the text of the reply. */
export function followReply(): void {
  swap.addEventListener('click', () => put(area.value === sent!.reply ? sent!.lie : sent!.reply))
  area.addEventListener('input', judgeReply)
  challenge.addEventListener('input', showDigits)
  the('copy').addEventListener('click', () => void copy(parcel(), the<HTMLTextAreaElement>('parcel'), the('copied')))
}

/** Shows a reply and its verdict, and another one that lies; none if there was no success. */
export function showReply(request: string, reply: string | undefined, lie?: string): void {
  the('reply').hidden = reply === undefined
  sent = reply === undefined ? undefined : { request, reply: layOut(reply), lie: layOut(lie ?? swapped(reply)) }
  showHeadline(request)
  the('reply-stale').hidden = true
  if (sent) put(sent.reply)
}

/** Called after changes of the form: its deployment takes effect at once, its request when it is sent. */
export function formChanged(request: string): void {
  if (!sent) return
  the('reply-stale').hidden = request === sent.request
  showHeadline(sent.request)
  judgeReply()
}

/** The request in words. Its cost is known if the reply that came is verified. */
function showHeadline(request: string) {
  const described = describeRequest(JSON.parse(request))
  const first = sent && safeSignable(request, sent.reply, deployment(), NAMES)
  the('headline').replaceChildren(...headline(described, first?.ok ? first.value.account.operation : undefined))
  the('moves').replaceChildren(...sentences(described.moves.length > 1 ? described.sentences : []).children)
}

function put(reply: string) {
  area.value = reply
  judgeReply()
}

const parcel = () => JSON.stringify({ request: sent!.request, reply: area.value })

function judgeReply() {
  const { request, reply, lie } = sent!
  const result = safeSignable(request, area.value, deployment(), NAMES)
  right = result.ok ? result.value : undefined
  showVerdict(right, result.ok ? [] : result.issues)
  const asked = describeRequest(JSON.parse(request)).moves[0]?.to ?? ''
  const compared = result.ok ? make('div', '', make('p', 'label', 'Recipient'), pair(asked, asked)) : differences(result.issues)
  write(the('comparison'), compared, wallet(right))
  the('words').replaceChildren(...(right ? [sentences(right.account.call.sentences), ...warningList(right.warnings)] : wouldDo()))
  the('signable').replaceChildren(right ? toSign(right) : make('p', 'problem', 'Nothing.'))
  showDigits()

  const isChanged = area.value !== reply
  swap.hidden = reply === lie
  swap.textContent = isChanged ? 'Put it back' : 'Show the lie'
  write(the('altered'), isChanged ? (area.value === lie ? 'This is the reply of the service that lies.' : 'The reply was changed here.') : 'This is the reply as it came.')
  write(the('copied'), '')
}

/** What the bytes of a refused reply would do. */
function wouldDo(): HTMLElement[] {
  try {
    const { callData } = JSON.parse(area.value).data.userOps
    return [make('p', 'hint', 'Nothing, because nothing is signed. Its call data alone says:'), sentences(describeCall(callData, NAMES).sentences)]
  } catch {
    return [make('p', 'problem', 'The reply has no call data that can be read.')]
  }
}

/** A reply whose call data moves to a stranger, for a service that cannot be told to lie. */
function swapped(reply: string): string {
  try {
    const lie = JSON.parse(reply)
    const { userOps } = lie.data
    // Answers are frozen.
    const call = structuredClone(decodeCall(userOps.callData)) as { intent: { details: { transactions?: { to: string }[]; recipientWalletAddress: string } } }
    const { details } = call.intent
    if (details.transactions) details.transactions[0]!.to = STRANGER
    else details.recipientWalletAddress = STRANGER
    userOps.callData = encodeCall(JSON.stringify(call))
    return JSON.stringify(lie)
  } catch {
    return reply
  }
}

function showDigits() {
  const typed = challenge.value.replace(/\s/g, '')
  const sentence = right ? 'There are no digits without its number.' : 'There are no digits.'
  const shown = right && /^\d{6,32}$/.test(typed) ? digits(right.hash, typed) : make('p', right ? 'hint' : 'problem', sentence)
  the('code').replaceChildren(shown)
}

/** What is done with the hash, by the form that the account checks. */
const SIGNED = {
  personal: ['Your wallet signs this hash, as a message', 'The hash, to signMessage.'],
  raw: ['Your key signs this hash itself', 'The hash, to a signer of 32 bytes.'],
  typedData: ['Your wallet signs typed data with this hash', 'The typed data, to signTypedData.'],
} as const

/** The data that the wallet signs. */
function wallet(right?: Signable): HTMLElement {
  const given = right ? Object.assign(make('p', 'given', code(right.hash)), { id: 'hash' }) : make('p', 'given nothing', 'Nothing')
  return make('div', '', make('p', 'label', right ? SIGNED[right.account.operation.signs][0] : 'Your wallet signs'), given)
}

function toSign({ digest, account: { operation } }: Signable): HTMLElement {
  const shown = Object.assign(code(digest), { id: 'digest' })
  return facts([['Pass to the wallet', SIGNED[operation.signs][1]], ['For a signer of bytes', shown], ...terms(operation)])
}
