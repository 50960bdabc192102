// The form. The name of a field is the path of its value, so that a problem's path leads to its field. The browser shows a problem
// once the field was visited, or the form was submitted.

import { messageKeys, messages, readBearer, SendoffError, signable, unitsOf, verifyEstimate, type Issue, type Messages } from 'sendoff'
import { tokenOf } from './chains.js'
import { make, the } from './page.js'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const form = the<HTMLFormElement>('form')
const GWEI = 'Enter a number of gwei, such as 2.5.'

/** The package's words, and what is different on this page. */
const WORDS: Messages = {
  ...messages,
  caip2Id: 'Enter a chain: eip155: and its number.',
  nftType: 'Enter a standard, such as ERC721.',
  amount: 'Enter an amount above zero, such as 0.01.',
  'amount decimals': 'Enter fewer digits after the point.',
  maxFeePerGas: GWEI,
  maxPriorityFeePerGas: GWEI,
  'maxPriorityFeePerGas rule': 'Enter a tip that is not above the cap.',
  'recipientWalletAddress rule': "This is the user's own wallet. Enter another one.",
  'feePayerAddress rule': "Nobody may pay in the user's place here. Leave it empty.",
  token: 'Enter the token as you got it.',
}

/** What the service found in the request that was sent last. */
let refused: readonly Issue[] = []

/** The field of a path. */
export const field = (path: string) => form.elements.namedItem(path) as Field

/** The text of a field, without the white space that pasting adds. */
const text = (path: string) => field(path).value.trim()

/** Makes a place for the problem of each field, and calls `changed` after a change and `send` when there is no problem. */
export function followForm(changed: () => void, send: () => void): void {
  for (const field of named()) {
    const problem = Object.assign(make('p', 'problem'), { id: `${field.name}-problem` })
    field.closest('.field')!.append(problem)
    field.setAttribute('aria-describedby', `${field.getAttribute('aria-describedby') ?? ''} ${problem.id}`.trim())
  }
  form.addEventListener('input', () => {
    refused = []
    judge()
    changed()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send()
  })
  // A field that is folded away cannot be focused.
  form.addEventListener('invalid', ({ target }) => ((target as Field).closest('details') ?? { open: false }).open = true, true)
}

/** Shows the problems that the service found in the request. */
export function refuse(issues: readonly Issue[]): void {
  refused = issues
  judge()
  form.reportValidity()
}

/** The request, as JSON. */
export function request(): string {
  const feePayerAddress = text('feePayerAddress')
  const gasDetails = { maxFeePerGas: quantityOfGwei('maxFeePerGas'), maxPriorityFeePerGas: quantityOfGwei('maxPriorityFeePerGas') }
  const payer = feePayerAddress && { feePayerAddress }
  return JSON.stringify({ type: text('type'), jobId: text('jobId'), gasDetails, paymasterData: text('paymasterData'), ...payer, details: details() })
}

/** The deployment that a wallet pins, as JSON. */
export const deployment = () => text('deployment')

/** The token of the amount; `undefined` if the amount is a number of NFTs, or of an unknown token's smallest unit. */
export function tokenOfAmount() {
  return text('type') === 'TOKEN_TRANSFER' ? tokenOf(text('details.caip2Id'), text('details.tokenAddress')) : undefined
}

function details() {
  const own = named().map(({ name }) => name).filter((name) => name.startsWith('details.') && !field(name).closest('[hidden]'))
  const values = Object.fromEntries(own.map((name) => [name.slice('details.'.length), text(name)]))
  if ('transactions' in values) return { ...values, transactions: parsed(values['transactions']!) }
  return { ...values, amount: units(values['amount']!, tokenOfAmount()?.decimals ?? 0) }
}

/** An amount in the smallest unit. A text that is not a decimal is kept, and the core reports it. */
function units(written: string, decimals: number): string {
  try {
    return unitsOf(written, decimals)
  } catch {
    return written
  }
}

function quantityOfGwei(key: string): string {
  const wei = units(text(`gasDetails.${key}`), 9)
  return /^\d+$/.test(wei) ? `0x${BigInt(wei).toString(16)}` : wei
}

/** The document of a text, or the text, of which the core says what is wrong. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

/** Fills the fields of a request and shows those of its type. */
export function fill(values: { readonly [path: string]: string }): void {
  for (const [path, value] of Object.entries(values)) if (field(path)) field(path).value = value
  for (const group of form.querySelectorAll<HTMLElement>('[data-types]')) group.hidden = !group.dataset['types']!.split(' ').includes(text('type'))
}

/** Shows each problem at its field, or at the field that contains its place. */
export function judge(): void {
  const found = new Map<Field, string>()
  for (const issue of [...issuesOfForm(), ...refused]) {
    const names = issue.path.split('.').map((_, at, all) => all.slice(0, all.length - at).join('.'))
    const place = names.map(field).find((field) => field && !field.closest('[hidden]')) ?? field(issue.path.startsWith('where') ? 'deployment' : 'type')
    if (!found.has(place)) found.set(place, words(issue))
  }
  for (const field of named()) {
    const problem = found.get(field) ?? ''
    field.setCustomValidity(problem)
    the(`${field.name}-problem`).textContent = problem
  }
}

/** All problems of the documents, by the paths of the fields. */
function issuesOfForm(): readonly Issue[] {
  const token = text('token')
  const ofToken = token ? issuesOf(() => readBearer(`Bearer ${token}`)) : []
  // Without a reply, because its problems are findings, not issues of the request.
  const ofRequest = issuesOf(() => verifyEstimate(request(), {}))
  const ofBoth = issuesOf(() => signable(request(), {}, deployment()))
  const isBatch = text('type') === 'RAW_TRANSACTION'
  const ofAmount = isBatch ? [] : issuesOf(() => unitsOf(text('details.amount'), tokenOfAmount()?.decimals ?? 0))
  const at = (path: string, issues: readonly Issue[]) => issues.map((issue) => ({ ...issue, path }))
  return [...at('token', ofToken), ...ofBoth.filter(({ path }) => path.startsWith('where')), ...at('details.amount', ofAmount), ...ofRequest]
}

/** The core's issues with an input; an empty list if it answers. */
function issuesOf(ask: () => unknown): readonly Issue[] {
  try {
    ask()
    return []
  } catch (error) {
    if (!SendoffError.is(error)) throw error
    return error.issues
  }
}

/** A problem in a few words. Of a document, the core's message. */
function words(issue: Issue): string {
  if (/^(where|details\.transactions)/.test(issue.path)) return `${issue.path}: ${issue.message}.`
  const keys = messageKeys({ ...issue, path: issue.path.split('.') })
  const known = issue.code === 'rule' ? keys.filter((key) => key.endsWith(' rule')) : keys
  return known.map((key) => WORDS[key]).find((words) => words !== undefined) ?? `${issue.message}.`
}

/** The fields with a name. */
const named = () => [...form.elements].filter((element): element is Field => 'name' in element && element.name !== '')
