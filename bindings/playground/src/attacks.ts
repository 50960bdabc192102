// What somebody between the gateway and the wallet would do.

import { decodeCall, encodeCall, type EstimateReply } from 'sendoff'

/** A part of a document, to be changed. */
type Part = { [key: string]: any }

interface Attack {
  readonly name: string
  readonly change: (data: Part) => void
}

const STRANGER = '0x000000000000000000000000000000000000dead'

export const ATTACKS: readonly Attack[] = [
  { name: 'Recipient, in plain sight', change: ({ callData }) => redirect(callData.payload) },
  { name: 'Recipient, in the call data', change: recode(({ intent }) => redirect(intent.details)) },
  { name: 'Amount, in the call data', change: recode(({ intent }) => raise(intent.details)) },
  { name: 'Nonce', change: ({ userOps }) => (userOps.nonce = userOps.nonce.replace(/.$/, next)) },
  { name: 'Contract', change: recode((call) => (call.jobManager = STRANGER)) },
]

/** A verified reply as an attack leaves it. */
export function attacked(reply: EstimateReply, { change }: Attack): string {
  const changed = structuredClone(reply)
  change(changed.data)
  return JSON.stringify(changed)
}

/** The places in which two values differ. */
export function differences(one: unknown, other: unknown, path = ''): string[] {
  if (Object.is(one, other)) return []
  if (!isPart(one) || !isPart(other)) return [path]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].flatMap((key) => differences(one[key], other[key], path ? `${path}.${key}` : key))
}

/** A change of what the call data says: it is well-formed afterwards, and all else stays. */
function recode(change: (call: Part) => void) {
  return ({ userOps }: Part) => {
    const call = decodeCall(userOps.callData)
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

const next = (digit: string) => ((parseInt(digit, 16) + 1) % 16).toString(16)

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null
