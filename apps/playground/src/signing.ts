// What both devices show of a reply before a signature: the verdict, what differs, the digits, and the operation.

import { comparisonCode, type Hex, type Issue, type Signable, type SignedOperation, type Warning } from 'sendoff'
import { code, coded } from './hex.js'
import { place } from './labels.js'
import { facts, make, the, write } from './page.js'
import { amountOf, gwei } from './units.js'

/** What `Verified` stands for, with what it leaves open beside it; or why the reply is refused. */
export function showVerdict(signable: Signable | undefined, issues: readonly Issue[] = []): void {
  const [word, ...rest] = signable ? ['Verified', ...verified(signable)] : ['Refused', ...refused(issues)]
  the('verdict').className = `verdict ${signable ? '' : 'refused'}`
  write(the('verdict'), make('strong', '', word as string), ...rest)
}

function verified({ unbound }: Signable): (Node | string)[] {
  const bound = '. What moves, to whom, on which chain and the price of gas are as you asked. '
  const names = unbound.flatMap((path, at) => [at ? ', ' : '', code(path.split('.').at(-1)!)])
  return [bound, make('span', 'open', ...(names.length ? ['Left to the server: ', ...names, '.'] : ['Nothing is left to the server.']))]
}

function refused(issues: readonly Issue[]): (Node | string)[] {
  const [first, ...others] = distinct(issues)
  const differs = first?.expected !== undefined && first.found !== undefined
  const reason = first ? (differs ? `${placeOf(first)} is not what you asked for.` : `${placeOf(first)}: ${first.message}.`) : ''
  const more = others.length ? ` ${others.length} more ${others.length === 1 ? 'problem' : 'problems'}.` : ''
  return ['. ', ...coded(reason), more, ' There is nothing to sign.']
}

const placeOf = ({ field, path }: Issue) => place(field ?? path)

/** Each difference once: a readable part and the bytes may both have it. */
function distinct(issues: readonly Issue[]): readonly Issue[] {
  const told = (issue: Issue) => [placeOf(issue), issue.expected, issue.found ?? issue.message].join().toLowerCase()
  return [...new Map(issues.map((issue) => [told(issue), issue])).values()]
}

/** Every difference between the request and the reply, as two values or in a sentence. */
export function differences(issues: readonly Issue[]): HTMLElement {
  const items = distinct(issues).map((issue) => {
    const { path, field, expected, found, message } = issue
    const isPair = expected !== undefined && found !== undefined
    const title = Object.assign(make('p', 'label', placeOf(issue)), { title: field ?? path })
    return make('li', '', title, isPair ? pair(inGwei(path, expected), inGwei(path, found)) : make('p', '', ...coded(`${message}.`)))
  })
  return make('ul', 'differences', ...items)
}

/** The requested value and the value found, side by side. */
export function pair(asked: string, found: string): HTMLElement {
  const look = asked === found ? 'pair' : 'pair differs'
  const side = (name: string, title: string, value: HTMLElement) => make('div', name, make('dt', '', title), make('dd', '', value))
  return make('dl', look, side('asked', 'You asked for', code(asked)), side('found', 'The reply says', code(found, asked)))
}

function inGwei(path: string, value: string): string {
  return /\.max(Priority)?FeePerGas$/.test(path) && /^0x[\da-f]{1,32}$/i.test(value) ? gwei(BigInt(value)) : value
}

/** The 24 digits that two devices compare, in six groups. The second device chooses the challenge. */
export function digits(hash: Hex, challenge: string): HTMLElement {
  const groups = comparisonCode(hash, challenge).split(' ')
  return make('p', 'digits', ...groups.flatMap((group) => [make('span', '', group), ' ']))
}

/** What a wallet shows when it is asked to sign: the 32 bytes of a message, or the digests of typed data (ERC-8213). */
export function walletShows({ account, digests, hash }: Signable): HTMLElement {
  const { eip712 } = digests
  const isTyped = account.operation.signs === 'typedData' && eip712
  return facts([
    ...(isTyped
      ? ([['Digest', code(eip712.digest)], ['Domain hash', code(eip712.domain)], ['Message hash', code(eip712.message)]] as const)
      : ([['Message', code(hash)]] as const)),
    ['Call data', code(digests.callData)],
  ])
}

/** The warnings of an operation; empty for an ordinary transfer. */
export function warningList(warnings: readonly Warning[]): HTMLElement[] {
  if (!warnings.length) return []
  const items = warnings.map(({ message, path }) => make('li', '', make('strong', '', place(path)), ': ', ...coded(message)))
  return [make('div', 'notice', make('p', 'label', 'Look twice'), make('ul', '', ...items))]
}

/** Sentences about the effects of an operation. */
export const sentences = (all: readonly string[]) => make('ol', 'sentences', ...all.map((sentence) => make('li', '', ...coded(sentence))))

/** What the operation costs and where it goes. It is paid in the coin of the EntryPoint's chain. */
export function terms({ maxCost, certainCost, chain, entryPoint, chainId, ...fees }: SignedOperation) {
  const certain = `${amountOf(certainCost, chain)} of it and the verification's gas are charged even if the call fails.`
  return [
    ['Cost', `At most ${amountOf(maxCost, chain)} for gas. ${certain}`],
    ['Fees', `At most ${gwei(fees.maxFeePerGas)} for a unit of gas, ${gwei(fees.maxPriorityFeePerGas)} of it as tip.`],
    ['Sent to', ...coded(`The EntryPoint ${entryPoint} on chain ${chainId}.`)],
  ] as const
}
