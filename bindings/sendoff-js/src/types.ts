// The documents and answers. What goes in is judged by the core, so a type here is help while writing and no check;
// what comes out is as it says. Hex of an answer keeps the letter case in which it came in, unless a field says
// otherwise.

import type { OPERATIONS } from './operations.js'

/** A document: the value, or the JSON text of it. Text keeps what values cannot: a key that stands twice is refused. */
export type Document<T> = T | string

/** `0x` and hex digits: bytes, two digits each. */
export type Hex = `0x${string}`

/** `0x` and 40 hex digits: all lower case, all upper case, or mixed with a correct checksum (ERC-55). */
export type Address = Hex

/** `0x` and hex digits without a leading zero, `0x0` for zero; at most 256 bits. Source: execution-apis. */
export type Quantity = Hex

/** An EVM chain as `eip155:` and its number above zero. Source: CAIP-2. */
export type ChainId = `eip155:${string}`

/** A UUID with hyphens, of either letter case. */
export type JobId = string

/** A canonical decimal integer from 1 to 2^256−1, in the smallest unit of what is counted. */
export type Amount = string

/** A known value, or another one of its kind. */
type Open<Known extends string> = Known | (string & {})

// Intents

/** What a user wants done. */
export type Intent =
  | { readonly type: 'NFT_TRANSFER'; readonly details: NftTransfer }
  | { readonly type: 'TOKEN_TRANSFER'; readonly details: TokenTransfer }
  | { readonly type: 'RAW_TRANSACTION'; readonly details: RawTransaction }

export type IntentType = Intent['type']

/** The details of an NFT transfer. */
export interface NftTransfer {
  /** The chain on which the NFT is. */
  readonly caip2Id: ChainId
  /** A UUID, or an on-chain token id: canonical decimal, or `0x` and 1 to 64 hex digits. */
  readonly nftId: string
  readonly recipientWalletAddress: Address
  /** The contract of the NFT's collection. */
  readonly collectionAddress: Address
  /** How many pieces; of an ERC-721 exactly 1. */
  readonly amount: Amount
  /** The standard of the contract: 1 to 32 ASCII letters, digits, `-` or `_`. */
  readonly nftType: Open<'ERC721' | 'ERC1155'>
}

/** The details of a token transfer. */
export interface TokenTransfer {
  /** The chain on which the token is. */
  readonly caip2Id: ChainId
  readonly recipientWalletAddress: Address
  /** The token's contract; empty for the chain's native token. */
  readonly tokenAddress: Address | ''
  /** How much, in the token's smallest unit. */
  readonly amount: Amount
}

/** The details of a raw transaction. */
export interface RawTransaction {
  /** The chain on which the transactions are executed. */
  readonly caip2Id: ChainId
  /** From 1 to 1,000, in order. */
  readonly transactions: readonly Transaction[]
}

export interface Transaction {
  readonly from: Address
  readonly to: Address
  /** What `to` is called with; `0x` for nothing. */
  readonly data: Hex
  /** The native token sent along, in wei. */
  readonly value: Quantity
}

// Estimate

/** An estimate request. */
export type EstimateRequest = Intent & {
  /** The job, and with it the nonce of its user operation. */
  readonly jobId: JobId
  readonly gasDetails: GasDetails
  /** Passed on to the paymaster; {@link encodePaymasterData} makes it. */
  readonly paymasterData: Hex
  /** Who pays the fee in the user's place; only where sponsorship is enabled. */
  readonly feePayerAddress?: Address | undefined
}

/** What may be paid for gas, in wei. The tip is not above the cap; both are below 2^128. Source: EIP-1559. */
export interface GasDetails {
  /** The cap. */
  readonly maxFeePerGas: Quantity
  /** The tip. */
  readonly maxPriorityFeePerGas: Quantity
}

/** What the host knows of the deployment, the user and the chain when a request comes in. */
export interface Facts {
  /** The application's smart wallet. */
  readonly clientSWA: Address
  /** The user's smart wallet. */
  readonly userSWA: Address
  readonly policies: Policies
  /** Absent means nothing is known of it. */
  readonly gsn?: Gsn | undefined
  /** The contract that starts jobs. */
  readonly jobManager: Address
  /** The contract that pays for the operation. */
  readonly paymaster: Address
  readonly gasLimits: GasLimits
  /** Absent means not computed. */
  readonly fees?: Fees | undefined
}

/** What is enabled for the application on the chain. */
export interface Policies {
  readonly gsnEnabled: boolean
  readonly sponsorshipEnabled: boolean
}

/** What is asked of the gas station network. */
export interface GsnRequirement {
  readonly isRequired: boolean
  readonly requiredNetworks: readonly ChainId[]
}

/** What is known of the gas station network for a job. */
export interface Gsn extends GsnRequirement {
  readonly isPossible: boolean
  /** Empty: the specification does not show what a token is. */
  readonly tokens: readonly []
}

/** How much gas the parts of an operation may use; all but `preVerificationGas` are below 2^128. Source: ERC-4337. */
export interface GasLimits {
  readonly callGasLimit: Quantity
  readonly verificationGasLimit: Quantity
  readonly preVerificationGas: Quantity
  readonly paymasterVerificationGasLimit: Quantity
  readonly paymasterPostOpGasLimit: Quantity
}

/** What a transfer costs on its chain. */
export interface Fees {
  /** Empty where it was not computed. Its form is not specified. */
  readonly approxTransactionFeesInUSDT: string
  /** By chain, of which there is only the intent's: a canonical decimal below 2^256. Its unit is not specified. */
  readonly transactionFees: { readonly [chain: ChainId]: string }
}

/** The success reply to an estimate request. */
export interface EstimateReply {
  readonly status: 'success'
  readonly data: {
    readonly callData: {
      readonly clientSWA: Address
      /** Empty for nobody. */
      readonly feePayerAddress: Address | ''
      readonly gsn: Gsn
      readonly intentType: IntentType
      readonly jobId: JobId
      /** The request's details. */
      readonly payload: Intent['details']
      readonly policies: Policies
      readonly userSWA: Address
    }
    readonly details: { readonly estimation: Estimation; readonly fees: Fees; readonly swapFees: SwapFees }
    readonly userOps: PreparedUserOp
  }
}

/** What a swap would bring: all empty, but for the `amount` of a token transfer. */
export interface Estimation extends SwapFees {
  readonly amount: string
  readonly crossChainFee: string
  readonly crossChainFeeCollector: string
  readonly outputAmount: string
  readonly recommendedSlippage: string
  readonly routeId: string
  readonly routeValidUntil: string
  readonly sameChainFee: string
  readonly sameChainFeeCollector: string
  readonly slippageUsed: string
}

/** What a swap would cost: all empty. */
export interface SwapFees {
  readonly gasFeesInInputToken: string
  readonly integratorFeesInInputToken: string
  readonly platformBaseFeesInInputToken: string
  readonly totalFeesInInputToken: string
}

// Verification

/** What was found wrong with a reply. */
export interface Verification {
  /** Whether nothing was. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
}

/** A rule that a reply breaks. */
export interface Finding {
  readonly rule: Rule
  /** Where in the reply, dotted from its root. */
  readonly path: string
  /** What was expected and what was found. */
  readonly message: string
}

export type Rule =
  | 'status'
  | 'intent-type'
  | 'job-id'
  | 'payload'
  | 'max-fee'
  | 'max-priority-fee'
  | 'nonce'
  | 'paymaster-data'
  | 'sender'
  | 'fee-payer'
  | 'fee-chain'
  | 'call-data'
  | 'shape'

/** What a reply must be for: where its operation is sent, and the deployment's own addresses. */
export interface Deployment extends EntryPoint {
  readonly jobManager: Address
  readonly paymaster: Address
  /** The application's smart wallet. */
  readonly clientSWA: Address
}

/** What may be signed. */
export interface Signable {
  /** The hash of the user operation. */
  readonly hash: Hex
  /** Its EIP-191 digest: what a key signs. A wallet's `signMessage` makes it itself, of the 32 bytes of `hash`. */
  readonly digest: Hex
  readonly account: Account
}

/** What a signature will do. */
export interface Account {
  /** What happens to the user's things. */
  readonly call: CallDescription
  /** The operation that makes it happen. */
  readonly operation: {
    readonly sender: Address
    readonly nonce: Hex
    readonly entryPoint: Address
    /** The chain on which it is executed, which need not be the one where things move. */
    readonly chainId: number
    /** In wei, decimal. */
    readonly maxFeePerGas: string
    /** In wei, decimal. */
    readonly maxPriorityFeePerGas: string
    /** The most that it can cost, in wei, decimal; null where the EntryPoint would refuse it. */
    readonly maxCost: string | null
    readonly paymaster: Address
    /** When the paymaster stops paying, in seconds since the epoch; null where its data is of another layout. */
    readonly paymasterValidUntil: number | null
    /** When the paymaster begins to pay, likewise. */
    readonly paymasterValidAfter: number | null
  }
}

// Call data

/** The content of call data. */
export interface Call {
  readonly jobManager: Address
  readonly jobId: JobId
  readonly clientSWA: Address
  readonly userSWA: Address
  /** Empty for nobody. */
  readonly feePayerAddress: Address | ''
  readonly policies: Policies
  /** Absent means not required, and no networks. */
  readonly gsn?: GsnRequirement | undefined
  readonly intent: Intent
}

/** What decodes from call data: its addresses outside the intent are lower case. */
export interface DecodedCall extends Call {
  readonly gsn: GsnRequirement
}

/** What call data will do, for a person to read. Its addresses have checksums, as wallets show them. */
export interface CallDescription {
  readonly type: IntentType
  /** The chain on which it happens. */
  readonly chain: ChainId
  readonly jobId: JobId
  /** The user's smart wallet, in whose name it happens. */
  readonly from: Address
  /** What happens, in order. */
  readonly moves: readonly Move[]
  /** Who pays the fee in the user's place; null for nobody. */
  readonly feePayer: Address | null
  readonly gsn: GsnRequirement
  /** The application's smart wallet. */
  readonly client: Address
  readonly jobManager: Address
}

/** One thing that happens: a thing changes hands, or a contract is called and what that does is not known here. */
export type Move = { readonly from: Address; readonly to: Address } & (
  | {
      readonly kind: 'nft'
      readonly collection: Address
      readonly nftId: string
      readonly standard: NftTransfer['nftType']
      readonly amount: Amount
    }
  | { readonly kind: 'token'; readonly contract: Address; readonly amount: Amount }
  /** In wei. */
  | { readonly kind: 'native'; readonly amount: Amount }
  | { readonly kind: 'call'; readonly value: Quantity; readonly data: Hex }
)

// User operations

/** The operation that an estimate prepares: everything but the signature. */
export interface PreparedUserOp extends GasDetails, GasLimits {
  readonly sender: Address
  /** 32 bytes: 16 zero bytes, and those of the job's UUID. */
  readonly nonce: Hex
  readonly callData: Hex
  readonly paymaster: Address
  readonly paymasterData: Hex
}

/** A user operation. Source: ERC-7769. */
export type UserOp = GasDetails &
  Pick<GasLimits, 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'> & {
    readonly sender: Address
    /** A quantity, or 32 bytes. */
    readonly nonce: Hex
    readonly callData: Hex
    /** Read and not hashed. */
    readonly signature?: Hex | undefined
  } & (Factory | None<Factory>) &
  (Paymaster | None<Paymaster>)

/** What makes an account that is not there yet. */
interface Factory {
  readonly factory: Address
  readonly factoryData?: Hex | undefined
}

/** Who pays: all four fields or none. */
interface Paymaster extends Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'> {
  readonly paymaster: Address
  readonly paymasterData: Hex
}

type None<T> = { readonly [K in keyof T]?: undefined }

/** The order of the two fees in a packed operation: tip, then cap as in ERC-4337, or as the service's SDK packs. */
export interface PackOptions {
  /** Absent means `standard`. */
  readonly gasFeeOrder?: 'standard' | 'maxFirst' | undefined
}

/** Where an operation is executed. */
export interface EntryPoint extends PackOptions {
  readonly entryPoint: Address
  /** From 1 to 2^53−1. */
  readonly chainId: number
  readonly version: '0.7' | '0.8' | '0.9'
}

/** A user operation as the EntryPoint takes it, all lower case. Source: ERC-4337. */
export interface PackedUserOp {
  readonly sender: Address
  /** 32 bytes. */
  readonly nonce: Hex
  readonly initCode: Hex
  readonly callData: Hex
  readonly accountGasLimits: Hex
  /** 32 bytes. */
  readonly preVerificationGas: Hex
  readonly gasFees: Hex
  readonly paymasterAndData: Hex
}

/** For whom and how long a paymaster pays; times are in seconds since the epoch, below 2^48. */
interface Validity {
  readonly clientSWA: Address
  readonly validUntil: number
  readonly validAfter: number
}

/** What a paymaster's signature is over. */
export interface PaymasterGrant extends Validity {
  readonly jobId: JobId
}

/** The content of paymaster data. */
export interface PaymasterData extends Validity {
  /** 65 bytes. */
  readonly signature: Hex
}

// Text

/** What {@link readText} answers, by the kind of the text. */
export interface TextMeanings {
  quantity: { readonly hex: Quantity; readonly decimal: string }
  hexBytes: { readonly length: number }
  word: { readonly length: 32 }
  address: { readonly checksummed: Address }
  chainId: { readonly namespace: string; readonly reference: string }
  jobId: { readonly uuid: string; readonly nonce: Hex }
  nftId: { readonly kind: 'uuid' | 'tokenId' }
  amount: { readonly hex: Quantity }
}

// Operations, replies, tokens

export type Operation = (typeof OPERATIONS)[number]

export type OperationId = Operation['id']

/** The operation that a method and a target name, or why there is none. */
export type FoundOperation =
  | {
      readonly operation: OperationId
      readonly params: { readonly [name: string]: string }
      /** Whether it counts against the rate limit. */
      readonly limited: boolean
      readonly refused?: undefined
    }
  /** The operation in another spelling, or with another method. */
  | { readonly refused: 'not-canonical' | 'method-not-allowed'; readonly operation: OperationId }
  | { readonly refused: 'bad-target' | 'not-found'; readonly operation?: undefined }

/** The reply to a call that the rate limit refuses. */
export interface RateLimited {
  readonly status: 429
  readonly headers: { readonly 'retry-after': string }
  readonly body: {
    readonly status: 'error'
    readonly error: {
      readonly code: 429
      readonly errorCode: 'ER-TECH-0100'
      readonly message: 'Rate Limit Exceeded'
      readonly trace_id: string
    }
  }
}

/** A reply of the service. What its parts hold is not specified. */
export type Reply =
  | { readonly status: 'success'; readonly data: unknown }
  | {
      readonly status: 'error'
      readonly code: number
      readonly message: string
      readonly errorCode?: string
      readonly traceId?: string
      readonly details?: unknown
    }

/** The token of an `Authorization` header. */
export interface Bearer {
  readonly token: string
  /**
   * When the token ends, in seconds since the epoch, where it is one of the service's own. It says so of itself: nobody
   * has checked it.
   */
  readonly expireAt?: number
  /** The session's public key on secp256k1, 65 bytes, likewise. */
  readonly sessionPublicKey?: Hex
}

// Rate windows

/** A rate limit: so many calls a window, whose windows follow the day's first request back to back. */
export interface Policy {
  /** From 1 to 2^21−1. */
  readonly limit: number
  /** The length of a window in milliseconds, from 1,000 to 86,400,000. */
  readonly windowMs: number
  /** When the day begins: minutes east of UTC, from −720 to 840. Absent means 0. */
  readonly dayOffsetMinutes?: number | undefined
  /** Whether midnight ends a window, or the last one of the day runs its full time. Absent means `truncate`. */
  readonly midnight?: 'truncate' | 'carry' | undefined
  /** For how many milliseconds a clock that steps back is waited for. Absent means `windowMs`. */
  readonly holdMs?: number | undefined
}

/** A caller's window. */
export interface Window {
  /** In milliseconds since the epoch. */
  readonly start: number
  /** The calls admitted in it. */
  readonly count: number
}

/**
 * How a call met its window: `anchored` starts the day's first, `rolled` one that follows, `same` finds it running;
 * `held` stands before its start by a clock that stepped back, and `stepped-back` so far before it that it starts anew.
 */
export type Phase = 'anchored' | 'rolled' | 'same' | 'held' | 'stepped-back'

/** What is answered to a call. A refusal is a value, not an error. Times are in seconds, rounded up. */
export type Verdict =
  | { readonly admitted: true; readonly phase: Phase; readonly remaining: number; readonly resetAfter: number }
  | { readonly admitted: false; readonly phase: Phase; readonly retryAfter: number }

export interface Admission {
  /** The window to keep for the caller's next call. */
  readonly window: Window
  readonly verdict: Verdict
}

export interface PlanEntry {
  /** In milliseconds since the epoch. */
  readonly at: number
  readonly count: number
}

/** What is asked of a window that many processes share in Redis. */
export interface RedisAsk {
  /** 1 to 32 letters, digits, `-` or `_`: each environment has windows of its own. */
  readonly environment: string
  /** Who calls: the host's own words, not empty. The store gets a keyed hash of it. */
  readonly scope: string
  /** The host's own, the same in all processes: without it no scope can be found out from the store. */
  readonly secret?: string
  /**
   * - `admit`: a call that counts
   * - `lease`: a batch for calls to come, as much of it as is left
   * - `peek`: the verdict of `admit`, nothing is written
   * - `touch`: a request that does not count; it can only start the day's first window
   */
  readonly kind: 'admit' | 'lease' | 'peek' | 'touch'
  /** From 1 to the policy's limit. Absent means 1. */
  readonly cost?: number
  /** Integer milliseconds since the epoch. Absent means the store's own clock, the same for all processes. */
  readonly now?: number
}

/** A call of the script in {@link REDIS_SCRIPT}: its one key, and its arguments. */
export interface RedisRequest {
  readonly key: string
  readonly arguments: readonly string[]
}

/** What the script answered. */
export interface RedisAnswer {
  /** The time that it was judged by, in milliseconds since the epoch. */
  readonly at: number
  /** How much was taken from the window: of a batch perhaps less than was asked for. */
  readonly granted: number
  /** The window that the request falls into, and what is taken of it. */
  readonly window: Window
  /** Null for a request that does not count. */
  readonly verdict: Verdict | null
}
