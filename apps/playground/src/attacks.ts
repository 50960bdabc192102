// Attacks between the service and the wallet: for each rule a change that only this rule refuses.

import { decodeCall, encodeCall, type EstimateReply, type Rule } from 'sendoff'

/** A rule of `verifyEstimate`, or the deployment, which `signable` compares as well. */
export type RuleName = Rule | 'deployment'

/** A part of a document that an attack changes. */
type Part = { [key: string]: any }

export interface Attack {
  readonly name: string
  readonly rule: RuleName
  readonly change: (reply: Part) => void
}

const STRANGER = '0x000000000000000000000000000000000000dead'

/** The attack of the page's first button. */
export const SWAP: Attack = {
  name: 'Swap the signed recipient',
  rule: 'call-data',
  change: recode(({ intent }) => redirect(intent.details)),
}

export const ATTACKS: readonly Attack[] = [
  SWAP,
  { name: 'Change the signed amount', rule: 'call-data', change: recode(({ intent }) => raise(intent.details)) },
  { name: 'Swap the shown recipient', rule: 'payload', change: ({ data }) => redirect(data.callData.payload) },
  { name: 'Swap the sender', rule: 'sender', change: ({ data }) => (data.userOps.sender = STRANGER) },
  { name: 'Reuse another nonce', rule: 'nonce', change: ({ data }) => next(data.userOps, 'nonce') },
  { name: 'Answer another job', rule: 'job-id', change: ({ data }) => next(data.callData, 'jobId') },
  { name: 'Answer another transfer', rule: 'intent-type', change: ({ data }) => (data.callData.intentType = 'NFT_MINT') },
  { name: 'Raise the fee cap', rule: 'max-fee', change: ({ data }) => (data.userOps.maxFeePerGas += '0') },
  { name: 'Raise the tip', rule: 'max-priority-fee', change: ({ data }) => (data.userOps.maxPriorityFeePerGas += '0') },
  { name: 'Charge somebody else', rule: 'fee-payer', change: ({ data }) => (data.callData.feePayerAddress = STRANGER) },
  { name: 'Add a fee on another chain', rule: 'fee-chain', change: ({ data }) => addFee(data.details.fees) },
  { name: 'Change one digit of the data', rule: 'paymaster-data', change: ({ data }) => next(data.userOps, 'paymasterData') },
  { name: 'Report it as unfinished', rule: 'status', change: (reply) => (reply.status = 'pending') },
  { name: 'Leave out the sender', rule: 'shape', change: ({ data }) => delete data.userOps.sender },
  { name: 'Call another contract', rule: 'deployment', change: recode((call) => (call.jobManager = STRANGER)) },
]

/** A verified reply after an attack. */
export function attacked(reply: EstimateReply, { change }: Attack): string {
  const changed = structuredClone(reply)
  change(changed)
  return JSON.stringify(changed)
}

/** The places in which two values differ. */
export function differences(one: unknown, other: unknown, path = ''): string[] {
  if (Object.is(one, other)) return []
  if (!isPart(one) || !isPart(other)) return [path]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].flatMap((key) => differences(one[key], other[key], path ? `${path}.${key}` : key))
}

/** A change of the call data's content. The result is well formed, and everything else stays the same. */
function recode(change: (call: Part) => void) {
  return ({ data: { userOps } }: Part) => {
    // Answers are frozen.
    const call = structuredClone(decodeCall(userOps.callData))
    change(call)
    userOps.callData = encodeCall(call)
  }
}

function redirect(details: Part) {
  if (details.transactions) details.transactions[0].to = STRANGER
  else details.recipientWalletAddress = STRANGER
}

function raise(details: Part) {
  if (details.transactions) details.transactions[0].value = '0xde0b6b3a7640000'
  else details.amount = details.amount.length < 70 ? `${details.amount}000` : '1'
}

function addFee(fees: Part) {
  const other = 'eip155:1' in fees.transactionFees ? 'eip155:10' : 'eip155:1'
  fees.transactionFees[other] = '1'
}

/** Another last digit. */
function next(part: Part, key: string) {
  part[key] = part[key].replace(/[\da-f]$/i, (digit: string) => ((parseInt(digit, 16) + 1) % 16).toString(16))
}

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null
