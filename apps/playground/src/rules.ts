// The result of each rule for a reply, with buttons that break the rules.

import { verifyEstimate, type Finding } from 'sendoff'
import { ATTACKS, type Attack, type RuleName } from './attacks.js'
import { inBrief } from './comparison.js'
import { make, prose } from './page.js'

interface Line {
  readonly name: RuleName
  /** What it compares, in a word or two. */
  readonly title: string
  /** The statement that holds if the rule is kept. */
  readonly says: string
  /** The statement about a reply that breaks the rule. */
  readonly broken: string
  /** The parts of the reply that it reads. If one of them is invalid, the rule is skipped. */
  readonly reads: readonly string[]
}

export interface Judgement {
  readonly line: Line
  readonly state: 'passed' | 'failed' | 'skipped'
  readonly findings: readonly Omit<Finding, 'rule'>[]
}

const LINES: readonly Line[] = [
  {
    name: 'status',
    title: 'Success',
    says: 'The reply is a success.',
    broken: 'The service does not report success.',
    reads: ['status'],
  },
  {
    name: 'intent-type',
    title: 'Kind of transfer',
    says: 'It is the kind you asked for.',
    broken: 'The reply is for another kind of transfer.',
    reads: ['data.callData.intentType'],
  },
  {
    name: 'job-id',
    title: 'Job',
    says: 'It is for your job.',
    broken: 'The reply is for another job.',
    reads: ['data.callData.jobId'],
  },
  {
    name: 'payload',
    title: 'Details',
    says: 'It repeats your details, and adds nothing.',
    broken: 'The reply repeats other details than yours.',
    reads: ['data.callData.payload'],
  },
  {
    name: 'max-fee',
    title: 'Fee cap',
    says: 'The fee cap is yours.',
    broken: 'The fee cap is not yours.',
    reads: ['data.userOps.maxFeePerGas'],
  },
  {
    name: 'max-priority-fee',
    title: 'Tip',
    says: 'The tip is yours.',
    broken: 'The tip is not yours.',
    reads: ['data.userOps.maxPriorityFeePerGas'],
  },
  {
    name: 'nonce',
    title: 'Nonce',
    says: 'The nonce is derived from your job.',
    broken: 'The nonce is not the one of your job.',
    reads: ['data.userOps.nonce'],
  },
  {
    name: 'paymaster-data',
    title: 'Paymaster data',
    says: 'The paymaster data is yours.',
    broken: 'The paymaster data is not yours.',
    reads: ['data.userOps.paymasterData'],
  },
  {
    name: 'sender',
    title: 'Sender',
    says: "The operation is sent by the user's wallet, which is not the recipient.",
    broken: 'The wrong wallet sends it.',
    reads: ['data.userOps.sender', 'data.callData.userSWA'],
  },
  {
    name: 'fee-payer',
    title: 'Fee payer',
    says: 'Only the fee payer that you named pays the fee.',
    broken: 'Somebody else pays the fee.',
    reads: ['data.callData.feePayerAddress', 'data.callData.policies.sponsorshipEnabled'],
  },
  {
    name: 'fee-chain',
    title: 'Chain of the fees',
    says: 'Fees are on your chain only.',
    broken: 'There is a fee on another chain.',
    reads: ['data.details.fees.transactionFees'],
  },
  {
    name: 'call-data',
    title: 'Bytes to sign',
    says: 'The bytes to sign do what you asked for, and nothing else.',
    broken: 'The bytes to sign do something else.',
    reads: [
      ...['data.userOps.callData', 'data.callData.clientSWA', 'data.callData.userSWA'],
      ...['data.callData.policies', 'data.callData.gsn'],
    ],
  },
  {
    name: 'shape',
    title: 'Completeness',
    says: 'Every part that a rule needs is there.',
    broken: 'A part of the reply is missing or cannot be read.',
    reads: [],
  },
  {
    name: 'deployment',
    title: 'Deployment',
    says: 'It is for the deployment that the wallet pins.',
    broken: 'The reply is for another deployment.',
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
  const lines = LINES.map(({ name, title, says }) => {
    const buttons = ATTACKS.filter(({ rule }) => rule === name).map((by) => {
      const button = Object.assign(make('button', '', by.name), { type: 'button', ariaPressed: 'false' })
      button.addEventListener('click', () => attack(by))
      return button
    })
    const statement = make('p', 'says', says)
    return make('li', '', make('p', 'rule', make('strong', '', title), make('code', '', name), make('span', 'state')), statement, ...buttons)
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
