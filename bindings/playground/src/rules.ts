// The result of each rule for a reply, with buttons that break the rules.

import { verifyEstimate, type Finding, type Rule } from 'sendoff'
import { ATTACKS, type Attack } from './attacks.js'
import { inBrief } from './comparison.js'
import { make, prose } from './page.js'

/** A rule of `verifyEstimate`, or the deployment, which `signable` compares as well. */
export type Name = Rule | 'deployment'

interface Line {
  readonly name: Name
  /** The statement that holds if the rule is kept. */
  readonly says: string
  /** The parts of the reply that it reads. If one of them is invalid, the rule is skipped. */
  readonly reads: readonly string[]
}

export interface Judgement {
  readonly line: Line
  readonly state: 'passed' | 'failed' | 'skipped'
  readonly findings: readonly Omit<Finding, 'rule'>[]
}

const LINES: readonly Line[] = [
  { name: 'status', says: 'The reply is a success.', reads: ['status'] },
  { name: 'intent-type', says: 'It is for the intent you asked for.', reads: ['data.callData.intentType'] },
  { name: 'job-id', says: 'It is for your job.', reads: ['data.callData.jobId'] },
  { name: 'payload', says: 'It repeats your details, and adds nothing.', reads: ['data.callData.payload'] },
  { name: 'max-fee', says: 'The fee cap is yours.', reads: ['data.userOps.maxFeePerGas'] },
  { name: 'max-priority-fee', says: 'The tip is yours.', reads: ['data.userOps.maxPriorityFeePerGas'] },
  { name: 'nonce', says: 'The nonce is derived from your job.', reads: ['data.userOps.nonce'] },
  { name: 'paymaster-data', says: 'The paymaster data is yours.', reads: ['data.userOps.paymasterData'] },
  {
    name: 'sender',
    says: "The operation is sent by the user's wallet, which is not the recipient.",
    reads: ['data.userOps.sender', 'data.callData.userSWA'],
  },
  {
    name: 'fee-payer',
    says: 'Only the fee payer that you named pays the fee.',
    reads: ['data.callData.feePayerAddress', 'data.callData.policies.sponsorshipEnabled'],
  },
  { name: 'fee-chain', says: 'Fees are on your chain only.', reads: ['data.details.fees.transactionFees'] },
  {
    name: 'call-data',
    says: 'The bytes to sign do what you asked for, and nothing else.',
    reads: [
      ...['data.userOps.callData', 'data.callData.clientSWA', 'data.callData.userSWA'],
      ...['data.callData.policies', 'data.callData.gsn'],
    ],
  },
  { name: 'shape', says: 'Every part that a rule needs is there.', reads: [] },
  {
    name: 'deployment',
    says: 'It is for the deployment that the wallet pins.',
    reads: ['data.userOps.callData', 'data.userOps.paymaster', 'data.callData.clientSWA'],
  },
]

/** Judges a reply by each rule; `issues` are those of `signable`, all documents JSON. */
export function judgements(request: string, reply: string, issues: readonly Omit<Finding, 'rule'>[]): readonly Judgement[] {
  const { findings } = verifyEstimate(request, reply)
  const places = findings.map(place)
  const ofDeployment = issues.filter((issue) => !places.includes(place(issue)))
  const shapeless = findings.filter(({ rule }) => rule === 'shape').map(({ path }) => path)
  return LINES.map((line) => {
    const found = line.name === 'deployment' ? ofDeployment : findings.filter(({ rule }) => rule === line.name)
    const hidden = line.reads.some((path) => shapeless.some((shapeless) => overlap(path, shapeless)))
    return { line, findings: found, state: found.length ? 'failed' : hidden ? 'skipped' : 'passed' }
  })
}

/** Fills the list with a line for each rule. Its buttons call `attack`. */
export function listRules(list: HTMLElement, attack: (by: Attack) => void): void {
  const lines = LINES.map(({ name, says }) => {
    const buttons = ATTACKS.filter(({ rule }) => rule === name).map((by) => {
      const button = Object.assign(make('button', '', by.name), { type: 'button', ariaPressed: 'false' })
      button.addEventListener('click', () => attack(by))
      return button
    })
    const statement = make('p', 'says', says)
    return make('li', '', make('p', 'rule', make('code', '', name), make('span', 'state')), statement, ...buttons)
  })
  list.replaceChildren(...lines)
}

/** Shows in each line the result of its rule, and which attack changed the reply. */
export function showRules(list: HTMLElement, judged: readonly Judgement[], by: Attack | undefined): void {
  for (const [at, { state, line, findings }] of judged.entries()) {
    const item = list.children[at]!
    item.className = state
    item.querySelector('.state')!.textContent = state
    const [first] = findings
    item.querySelector('.says')!.replaceChildren(...prose(first ? inBrief(first) : line.says))
    for (const button of item.querySelectorAll('button')) button.ariaPressed = `${button.textContent === by?.name}`
  }
}

const place = ({ path, message }: { readonly path: string; readonly message: string }) => `${path} ${message}`

/** `true` if one path is a prefix of the other. */
function overlap(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short === '' || short === long || long.startsWith(`${short}.`)
}
