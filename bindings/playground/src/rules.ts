// A reply judged rule by rule.

import { signable, verifyEstimate, type Finding, type Rule } from 'sendoff'
import { make, prose } from './page.js'
import { issuesOf } from './problems.js'

/** The deployment is no rule of a request; it is held against the reply before there is a hash. */
type Name = Rule | 'deployment'

interface Line {
  readonly name: Name
  /** What holds where the rule is kept. */
  readonly says: string
  /** The parts of the reply that it reads: where one of them has no shape, it is skipped. */
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
  { name: 'nonce', says: 'The nonce is made of your job.', reads: ['data.userOps.nonce'] },
  { name: 'paymaster-data', says: 'The paymaster data is yours.', reads: ['data.userOps.paymasterData'] },
  {
    name: 'sender',
    says: "The operation is sent by the user's wallet, which is not the recipient.",
    reads: ['data.userOps.sender', 'data.callData.userSWA'],
  },
  {
    name: 'fee-payer',
    says: 'The fee is paid by whom you named.',
    reads: ['data.callData.feePayerAddress', 'data.callData.policies.sponsorshipEnabled'],
  },
  { name: 'fee-chain', says: 'Fees are on your chain only.', reads: ['data.details.fees.transactionFees'] },
  {
    name: 'call-data',
    says: 'The call data does what you asked for, and nothing else.',
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

/** Holds a reply against request and deployment, all of them JSON. */
export function judgements(request: string, reply: string, deployment: string): readonly Judgement[] {
  const { findings } = verifyEstimate(request, reply)
  const places = findings.map(place)
  const ofDeployment = issuesOf(() => signable(request, reply, deployment)).filter((at) => !places.includes(place(at)))
  const shapeless = findings.filter(({ rule }) => rule === 'shape').map(({ path }) => path)
  return LINES.map((line) => {
    const found = line.name === 'deployment' ? ofDeployment : findings.filter(({ rule }) => rule === line.name)
    const hidden = line.reads.some((path) => shapeless.some((shapeless) => overlap(path, shapeless)))
    return { line, findings: found, state: found.length ? 'failed' : hidden ? 'skipped' : 'passed' }
  })
}

/** A line of the list. */
export function ruleItem({ line, state, findings }: Judgement): HTMLLIElement {
  const told = make('div', '', make('code', '', line.name), ' ', make('span', 'says', line.says))
  for (const { path, message } of findings) {
    told.append(make('p', 'finding', ...(path ? [make('code', '', path), ': '] : []), ...prose(message)))
  }
  return make('li', state, make('span', 'state', state), told)
}

const place = ({ path, message }: { readonly path: string; readonly message: string }) => `${path} ${message}`

/** Whether one path leads to the other. */
function overlap(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short === '' || short === long || long.startsWith(`${short}.`)
}
