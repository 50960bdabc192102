import { own } from '../own.js'

/** What a client sends, or is asked to sign: a user operation as JSON. */
export type Operation = { readonly [field: string]: unknown }

/** The fields that decide what an operation can cost. All others decide what it does. */
const COSTS: readonly string[] = [
  ...['callGasLimit', 'verificationGasLimit', 'preVerificationGas', 'paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'],
  ...['maxFeePerGas', 'maxPriorityFeePerGas'],
]

/** The fields that a hash covers. */
const SIGNED: readonly string[] = ['sender', 'nonce', 'factory', 'factoryData', 'callData', 'paymaster', 'paymasterData', ...COSTS]

/** What an operation that was sent does other than those that an honest service would have had signed. */
export function unlike(sent: Operation, honest: readonly Operation[]): 'moved' | 'cost' | undefined {
  const differing = honest.map((other) => SIGNED.filter((field) => !isSame(own(sent)[field], own(other)[field])))
  if (differing.length === 0 || differing.some((fields) => fields.length === 0)) return undefined
  return differing.some((fields) => fields.every((field) => COSTS.includes(field))) ? 'cost' : 'moved'
}

/** `true` for two spellings of one value. */
function isSame(one: unknown, other: unknown): boolean {
  const [left, right] = [one, other].map((value) => String(value ?? '').toLowerCase())
  if (left === right) return true
  try {
    return BigInt(left!) === BigInt(right!) && left!.length > 0 && right!.length > 0
  } catch {
    return false
  }
}

/** The operation in the body of a request that sends one: JSON-RPC's first parameter, or the body itself. */
export function operationIn(body: string): Operation | undefined {
  const { params, ...document } = read(body) as { params?: unknown }
  const operation: unknown = Array.isArray(params) ? params[0] : document
  return typeof operation === 'object' && operation !== null ? (operation as Operation) : undefined
}

/** The operation in the reply to an estimate. */
export function estimatedIn(body: string): Operation | undefined {
  const { data } = read(body) as { data?: { userOps?: Operation } }
  return data && own(data).userOps
}

/** The own fields of a JSON object; none of other text. */
function read(body: string): object {
  try {
    return own(JSON.parse(body))
  } catch {
    return own({})
  }
}
