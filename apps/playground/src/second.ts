// The second device: it verifies request and reply again, shows what the wallet must show, and checks the signature.

import { assemble, backend, safeSignable, type Issue, type Signable } from 'sendoff'
import { safeCheckSignature } from 'sendoff/signature'
import pinned from '../../../tests/demo/deployment.json'
import expect from '../../../tests/demo/expect.json'
import { NAMES } from './chains.js'
import { code, coded } from './hex.js'
import { layOut, unpacked } from './json.js'
import { facts, lead, make, the, write } from './page.js'
import { differences, digits, sentences, showVerdict, terms, walletShows, warningList } from './signing.js'

const signature = the<HTMLTextAreaElement>('signature')
const signer = the<HTMLInputElement>('signer')
/** The verified operation, and the number that this device chose after it had the operation. */
let verified: { readonly signable: Signable; readonly challenge: string } | undefined

const [request, reply, deployment] = ['request', 'reply', 'deployment'].map((id) => the<HTMLTextAreaElement>(id)) as [
  HTMLTextAreaElement,
  HTMLTextAreaElement,
  HTMLTextAreaElement,
]

deployment.value = layOut(JSON.stringify({ ...pinned, expect }))
write(the('backend'), `sendoff, ${backend()}`)

for (const field of [request, reply, deployment]) {
  field.addEventListener('input', judge)
  field.addEventListener('paste', (event) => {
    if (take(event.clipboardData?.getData('text') ?? '')) event.preventDefault()
  })
}
for (const field of [signature, signer]) field.addEventListener('input', check)
the('copy').addEventListener('click', copy)
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
  the('waiting').hidden = ready
  the('verdict').hidden = !ready
  const result = ready ? safeSignable(request.value, reply.value, deployment.value, NAMES) : undefined
  verified = result?.ok ? { signable: result.value, challenge: challengeFor(result.value) } : undefined
  the('signing').hidden = verified === undefined
  check()
  if (!result) return the('result').replaceChildren()
  const issues = result.ok ? [] : result.issues.map(placed)
  showVerdict(verified?.signable, issues)
  the('result').replaceChildren(...(verified ? accepted(verified) : [make('p', '', 'There are no digits. Do not sign on the first device.'), differences(issues)]))
}

/** A number for this operation. Nobody could know it before, so nobody could look for another operation with the same digits. */
function challengeFor({ hash }: Signable): string {
  if (verified?.signable.hash === hash) return verified.challenge
  const [random] = crypto.getRandomValues(new BigUint64Array(1)) as unknown as [bigint]
  return String(random % 10n ** 12n).padStart(12, '0')
}

/** The operation: sentences, warnings, what the wallet and the first device must show, and cost. */
function accepted({ signable, challenge }: NonNullable<typeof verified>): HTMLElement[] {
  const { account: { call, operation }, hash, warnings } = signable
  return [
    sentences(call.sentences),
    ...warningList(warnings),
    make('h2', '', 'The wallet must show'),
    make('p', 'hint', 'Compare with the screen of the wallet that signs, not with the page: a page can show one thing and have another signed.'),
    walletShows(signable),
    make('h2', '', 'The first device must show'),
    make('p', 'hint', 'Type this number there. Then both devices must show the same digits.'),
    Object.assign(make('p', 'challenge', challenge.replace(/.{4}(?=.)/g, '$& ')), { id: 'challenge' }),
    digits(hash, challenge),
    facts([['Wallet', code(call.from)], ['Fee payer', call.feePayer ? code(call.feePayer) : 'Nobody.'], ...terms(operation)]),
  ]
}

/** Checks the signature: whether the key signed exactly this operation. */
function check() {
  const given = { signature: signature.value.trim(), signer: signer.value.trim() }
  const isGiven = verified && given.signature !== '' && given.signer !== ''
  const result = isGiven ? safeCheckSignature(verified!.signable.digest, given.signature, given.signer) : undefined
  const isRight = result?.ok === true && result.value.ok
  the('copy').hidden = !isRight
  write(the('copied'), '')
  the('checked').className = !result ? '' : isRight ? 'notice good' : 'notice'
  write(the('checked'), ...(result ? judgement(result) : []))
}

function judgement(result: ReturnType<typeof safeCheckSignature>): (Node | string)[] {
  if (!result.ok) return coded(`${result.issues.map(({ message }) => message).join('; ')}.`)
  if (result.value.ok) return ['This key signed exactly this operation. Send what this button copies.']
  const { reason, found } = result.value
  if (reason !== 'signer') return [`Do not send: accounts refuse this signature (${REASONS[reason]}).`]
  return ['Do not send: it is the signature of another operation, or of another key.', ...(found ? [' ', code(found)] : [])]
}

const REASONS = {
  length: 'a key\u2019s signature has 65 bytes',
  v: 'its last byte is 27 or 28',
  range: 'its numbers are out of range',
  'high-s': 'its second number is in the upper half',
}

/** Copies the operation that this device verified, with the signature. */
async function copy() {
  await navigator.clipboard.writeText(JSON.stringify(assemble(verified!.signable.operation, signature.value.trim())))
  write(the('copied'), 'Copied.')
}

/** The root of the request and the root of the reply have no path. */
function placed(issue: Issue): Issue {
  return issue.path === '' && issue.code !== 'rule' ? { ...issue, path: 'request' } : issue
}
