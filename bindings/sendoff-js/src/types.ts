// Made by `cargo xtask codegen` from the core; a change here is lost.

// The documents and answers. The core checks what goes in, so these types only help while writing: they take any string
// where the core reads text. What comes out has exact types. A document that goes in and comes out has two types: the
// second is named `Answered…`. Hex of an answer keeps the letter case in which it came in, unless a field says otherwise.
//
// Each document from outside is also a value: a schema for libraries that take a Standard Schema. Value and type are
// declared in one file, so that TypeScript merges them under one name. A page that uses no schema bundles none.

import type { Issue } from './error.js'
import type { OPERATIONS } from './operations.js'
import { requestSchema, schema, type Schema } from './schema.js'

/** A document: a value, or its JSON text. In text, duplicate keys can be found and are refused. */
export type Document<T> = T | string

/** `0x` and hex digits. It is the `Hex` of viem and ox, and an address is their `Address`. */
export type Hex = `0x${string}`

/** An operation of the service: a row of {@link OPERATIONS}. */
export type Operation = (typeof OPERATIONS)[number]

/** The path parameters of an operation. Any parameters, if only `OperationId` is known of it. */
export type ParamsOf<Id extends OperationId> = OperationId extends Id
  ? Params
  : Named<Extract<Operation, { readonly id: Id }>['parameters'][number]>

type Named<Name extends string> = [Name] extends [never] ? Record<string, never> : { readonly [Key in Name]: string }

/**
 * A request of the intent that its `type` names. TypeScript may know `type` only as a string, in an object without a
 * declared type or in imported JSON. Then it checks each field that is there, and the core checks which are missing.
 */
export type RequestOf<Type extends string> = { readonly type: Type } & (string extends Type
  ? Omit<NftTransferRequest, 'type' | 'details'> & { readonly details: SomeOf<EstimateRequest['details']> }
  : Extract<EstimateRequest, { readonly type: Type }>)

type SomeOf<Union> = { readonly [Key in Union extends unknown ? keyof Union : never]?: In<Union, Key> | undefined }
type In<Union, Key extends PropertyKey> = Union extends { readonly [Own in Key]: infer Value } ? Value : never

/**
 * The body of `POST /api/oc/v1/estimate`. Its parts agree: the amount of an ERC-721 token is 1, the tip is not above
 * the cap, and the chain is of the namespace `eip155`. Its type is `NFT_TRANSFER`.
 */
export interface NftTransferRequest {
  /** The type of the intent. */
  readonly type: 'NFT_TRANSFER'
  /** The details of the intent. */
  readonly details: NftTransfer
  /** The job; it becomes the nonce of the user operation. A UUID (8-4-4-4-12 hex digits with hyphens). */
  readonly jobId: string
  /** The fees that the caller accepts. */
  readonly gasDetails: GasDetails
  /** The data for the paymaster; `encodePaymasterData` makes it. Hex bytes (`0x` and an even number of hex digits). */
  readonly paymasterData: string
  /**
   * The account that pays the fee in the user's place; allowed only if sponsorship is enabled. An address (`0x` and 40
   * hex digits, in one letter case or with its ERC-55 checksum).
   */
  readonly feePayerAddress?: string | undefined
}

export const NftTransferRequest: Schema<NftTransferRequest> = /* @__PURE__ */ requestSchema('NFT_TRANSFER')

/**
 * The body of `POST /api/oc/v1/estimate`. Its parts agree: the amount of an ERC-721 token is 1, the tip is not above
 * the cap, and the chain is of the namespace `eip155`. Its type is `TOKEN_TRANSFER`.
 */
export interface TokenTransferRequest {
  /** The type of the intent. */
  readonly type: 'TOKEN_TRANSFER'
  /** The details of the intent. */
  readonly details: TokenTransfer
  /** The job; it becomes the nonce of the user operation. A UUID (8-4-4-4-12 hex digits with hyphens). */
  readonly jobId: string
  /** The fees that the caller accepts. */
  readonly gasDetails: GasDetails
  /** The data for the paymaster; `encodePaymasterData` makes it. Hex bytes (`0x` and an even number of hex digits). */
  readonly paymasterData: string
  /**
   * The account that pays the fee in the user's place; allowed only if sponsorship is enabled. An address (`0x` and 40
   * hex digits, in one letter case or with its ERC-55 checksum).
   */
  readonly feePayerAddress?: string | undefined
}

export const TokenTransferRequest: Schema<TokenTransferRequest> = /* @__PURE__ */ requestSchema('TOKEN_TRANSFER')

/**
 * The body of `POST /api/oc/v1/estimate`. Its parts agree: the amount of an ERC-721 token is 1, the tip is not above
 * the cap, and the chain is of the namespace `eip155`. Its type is `RAW_TRANSACTION`.
 */
export interface RawTransactionRequest {
  /** The type of the intent. */
  readonly type: 'RAW_TRANSACTION'
  /** The details of the intent. */
  readonly details: RawTransaction
  /** The job; it becomes the nonce of the user operation. A UUID (8-4-4-4-12 hex digits with hyphens). */
  readonly jobId: string
  /** The fees that the caller accepts. */
  readonly gasDetails: GasDetails
  /** The data for the paymaster; `encodePaymasterData` makes it. Hex bytes (`0x` and an even number of hex digits). */
  readonly paymasterData: string
  /**
   * The account that pays the fee in the user's place; allowed only if sponsorship is enabled. An address (`0x` and 40
   * hex digits, in one letter case or with its ERC-55 checksum).
   */
  readonly feePayerAddress?: string | undefined
}

export const RawTransactionRequest: Schema<RawTransactionRequest> = /* @__PURE__ */ requestSchema('RAW_TRANSACTION')

/**
 * The body of `POST /api/oc/v1/estimate`. Its parts agree: the amount of an ERC-721 token is 1, the tip is not above
 * the cap, and the chain is of the namespace `eip155`.
 */
export type EstimateRequest = NftTransferRequest | TokenTransferRequest | RawTransactionRequest

export const EstimateRequest: Schema<EstimateRequest> = /* @__PURE__ */ schema('EstimateRequest')

/** A UUID (8-4-4-4-12 hex digits with hyphens). */
export type JobId = string

/** The fees that the caller accepts for a unit of gas. */
export interface GasDetails {
  /**
   * The highest price of a unit of gas, in wei: the cap. A hex quantity of at most 128 bits (`0x`, no leading zero).
   */
  readonly maxFeePerGas: string
  /** The tip for a unit of gas, in wei. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly maxPriorityFeePerGas: string
}

/** A hex quantity of at most 128 bits (`0x`, no leading zero). */
export type Quantity128 = Hex

/** Hex bytes (`0x` and an even number of hex digits). */
export type HexBytes = Hex

/** The transfer of an NFT: the `details` of `NFT_TRANSFER`. */
export interface NftTransfer {
  /** The chain of the NFT. A CAIP-2 chain id, such as `eip155:1` (its reference a decimal above zero). */
  readonly caip2Id: string
  /**
   * The id of the NFT. An NFT's id (a UUID, a decimal without leading zeros, or `0x` and 1 to 64 hex digits; below
   * 2^256).
   */
  readonly nftId: string
  /** The recipient. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum). */
  readonly recipientWalletAddress: string
  /**
   * The contract of its collection. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55
   * checksum).
   */
  readonly collectionAddress: string
  /** The number of pieces; 1 for ERC-721. A decimal integer from 1 to 2^256-1 without leading zeros. */
  readonly amount: string
  /** The standard of its contract. */
  readonly nftType: NftType
}

/** The transfer of an NFT: the `details` of `NFT_TRANSFER`. */
export interface AnsweredNftTransfer {
  /** The chain of the NFT. */
  readonly caip2Id: ChainId
  /** The id of the NFT. */
  readonly nftId: NftId
  /** The recipient. */
  readonly recipientWalletAddress: Address
  /** The contract of its collection. */
  readonly collectionAddress: Address
  /** The number of pieces; 1 for ERC-721. */
  readonly amount: Amount
  /** The standard of its contract. */
  readonly nftType: NftType
}

/** A CAIP-2 chain id, such as `eip155:1` (its reference a decimal above zero). */
export type ChainId = `${string}:${string}`

/** An NFT's id (a UUID, a decimal without leading zeros, or `0x` and 1 to 64 hex digits; below 2^256). */
export type NftId = string

/** An address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum). */
export type Address = Hex

/** A decimal integer from 1 to 2^256-1 without leading zeros. */
export type Amount = string

/** A token standard (1 to 32 letters, digits, `-` or `_`; `ERC721` and `ERC1155` in capitals). */
export type NftType = 'ERC721' | 'ERC1155' | (string & {})

/** The transfer of a token or of a chain's native token: the `details` of `TOKEN_TRANSFER`. */
export interface TokenTransfer {
  /** The chain of the token. A CAIP-2 chain id, such as `eip155:1` (its reference a decimal above zero). */
  readonly caip2Id: string
  /** The recipient. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum). */
  readonly recipientWalletAddress: string
  /** The token's contract; empty for the native token. A token's address, or empty text for the native token. */
  readonly tokenAddress: string
  /** The amount, in the token's smallest unit. A decimal integer from 1 to 2^256-1 without leading zeros. */
  readonly amount: string
}

/** The transfer of a token or of a chain's native token: the `details` of `TOKEN_TRANSFER`. */
export interface AnsweredTokenTransfer {
  /** The chain of the token. */
  readonly caip2Id: ChainId
  /** The recipient. */
  readonly recipientWalletAddress: Address
  /** The token's contract; empty for the native token. */
  readonly tokenAddress: TokenAddress
  /** The amount, in the token's smallest unit. */
  readonly amount: Amount
}

/** A token's address, or empty text for the native token. */
export type TokenAddress = '' | Address

/** Raw transactions of the caller: the `details` of `RAW_TRANSACTION`. */
export interface RawTransaction {
  /**
   * The chain on which the transactions are executed. A CAIP-2 chain id, such as `eip155:1` (its reference a decimal
   * above zero).
   */
  readonly caip2Id: string
  /** The transactions, in the order of execution. */
  readonly transactions: Transactions
}

/** Raw transactions of the caller: the `details` of `RAW_TRANSACTION`. */
export interface AnsweredRawTransaction {
  /** The chain on which the transactions are executed. */
  readonly caip2Id: ChainId
  /** The transactions, in the order of execution. */
  readonly transactions: AnsweredTransactions
}

/** An array of 1 to 1000 transactions. */
export type Transactions = readonly Transaction[]

/** An array of 1 to 1000 transactions. */
export type AnsweredTransactions = readonly AnsweredTransaction[]

/** One transaction of an EVM chain. In call data it is compact JSON with its keys in this order. */
export interface Transaction {
  /** The call data of the transaction. Hex bytes (`0x` and an even number of hex digits). */
  readonly data: string
  /**
   * The sender: the user's wallet on this chain. An address (`0x` and 40 hex digits, in one letter case or with its
   * ERC-55 checksum).
   */
  readonly from: string
  /**
   * The account or contract that is called. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55
   * checksum).
   */
  readonly to: string
  /** The native token that is sent along, in wei. A hex quantity of at most 256 bits (`0x`, no leading zero). */
  readonly value: string
}

/** One transaction of an EVM chain. In call data it is compact JSON with its keys in this order. */
export interface AnsweredTransaction {
  /** The call data of the transaction. */
  readonly data: HexBytes
  /** The sender: the user's wallet on this chain. */
  readonly from: Address
  /** The account or contract that is called. */
  readonly to: Address
  /** The native token that is sent along, in wei. */
  readonly value: Quantity
}

/** A hex quantity of at most 256 bits (`0x`, no leading zero). */
export type Quantity = Hex

/** The host's facts about the deployment, the user and the chain at the time of a request. */
export interface Facts {
  /**
   * The application's smart wallet. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55
   * checksum).
   */
  readonly clientSWA: string
  /** The user's smart wallet. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum). */
  readonly userSWA: string
  /** The features that are enabled for the application on the chain. */
  readonly policies: Policies
  /** The facts about the gas station network; absent in JSON means none. */
  readonly gsn?: Gsn | undefined
  /**
   * The contract that starts jobs. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum).
   */
  readonly jobManager: string
  /**
   * The contract that pays for the operation. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55
   * checksum).
   */
  readonly paymaster: string
  /** The gas limits of the operation's parts. */
  readonly gasLimits: GasLimits
  /** The cost of the transfer on its chain; absent in JSON means not computed. */
  readonly fees?: Fees | undefined
}

export const Facts: Schema<Facts> = /* @__PURE__ */ schema('Facts')

/** The features that are enabled for the application on a chain. */
export interface Policies {
  /** Whether the gas station network is enabled. */
  readonly gsnEnabled: boolean
  /** Whether a fee payer may pay in the user's place. */
  readonly sponsorshipEnabled: boolean
}

/** The facts about the gas station network for a job. */
export interface Gsn {
  /** Whether the network can be used. */
  readonly isPossible: boolean
  /** Whether the job needs the network. */
  readonly isRequired: boolean
  /** The chains on which the job needs it. */
  readonly requiredNetworks: readonly string[]
  /** Its tokens: always an empty list, because the specification does not show the form of a token. */
  readonly tokens: GsnTokens
}

/** The facts about the gas station network for a job. */
export interface AnsweredGsn {
  /** Whether the network can be used. */
  readonly isPossible: boolean
  /** Whether the job needs the network. */
  readonly isRequired: boolean
  /** The chains on which the job needs it. */
  readonly requiredNetworks: readonly ChainId[]
  /** Its tokens: always an empty list, because the specification does not show the form of a token. */
  readonly tokens: GsnTokens
}

/** An empty array. */
export type GsnTokens = readonly []

/** The gas limits of an operation's parts. Source: ERC-4337. */
export interface GasLimits {
  /** The gas for the call itself. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly callGasLimit: string
  /** The gas for the account's validation. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly verificationGasLimit: string
  /**
   * The gas for work that the EntryPoint cannot measure. A hex quantity of at most 256 bits (`0x`, no leading zero).
   */
  readonly preVerificationGas: string
  /** The gas for the paymaster's validation. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly paymasterVerificationGasLimit: string
  /** The gas for the paymaster's work after the call. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly paymasterPostOpGasLimit: string
}

/** The cost of a transfer on its chain. */
export interface Fees {
  /** The fees in USDT; empty if they were not computed. The form is not specified. */
  readonly approxTransactionFeesInUSDT: string
  /** The fees by chain, in a unit that is not specified. */
  readonly transactionFees: TransactionFees
}

/** The cost of a transfer on its chain. */
export interface AnsweredFees {
  /** The fees in USDT; empty if they were not computed. The form is not specified. */
  readonly approxTransactionFeesInUSDT: string
  /** The fees by chain, in a unit that is not specified. */
  readonly transactionFees: AnsweredTransactionFees
}

/** Fees by the chain on which they are paid. */
export type TransactionFees = { readonly [key: string]: string }

/** Fees by the chain on which they are paid. */
export type AnsweredTransactionFees = { readonly [key: ChainId]: FeeAmount }

/** A decimal integer from 0 to 2^256-1 without leading zeros. */
export type FeeAmount = string

/** The success reply to an estimate request. */
export interface EstimateReply {
  /** The status: the request was answered. */
  readonly status: EstimateStatus
  /** The data of the answer. */
  readonly data: EstimateData
}

/**
 * The status of a success reply.
 * - `success`: The request was answered.
 */
export type EstimateStatus = 'success'

/** The data of an estimate reply. */
export interface EstimateData {
  /** The content of the call data in plain JSON. */
  readonly callData: ReplyCallData
  /** The cost of the transfer. */
  readonly details: ReplyDetails
  /** The prepared user operation. */
  readonly userOps: PreparedUserOp
}

/** The content of the operation's call data in plain JSON. */
export type ReplyCallData = {
  /** The application's smart wallet. */
  readonly clientSWA: Address
  /** The account that pays the fee in the user's place; empty if there is none. */
  readonly feePayerAddress: FeePayerAddress
  /** The facts about the gas station network. */
  readonly gsn: AnsweredGsn
  /** The job of the request. */
  readonly jobId: JobId
  /** The features that are enabled for the application. */
  readonly policies: Policies
  /** The user's smart wallet. */
  readonly userSWA: Address
} & (
  | {
      /** The type of the intent. */
      readonly intentType: 'NFT_TRANSFER'
      /** The details of the intent. */
      readonly payload: AnsweredNftTransfer
    }
  | {
      /** The type of the intent. */
      readonly intentType: 'TOKEN_TRANSFER'
      /** The details of the intent. */
      readonly payload: AnsweredTokenTransfer
    }
  | {
      /** The type of the intent. */
      readonly intentType: 'RAW_TRANSACTION'
      /** The details of the intent. */
      readonly payload: AnsweredRawTransaction
    }
)

/** A fee payer's address, or empty text for none. */
export type FeePayerAddress = '' | Address

/** The cost of the transfer. */
export interface ReplyDetails {
  /** The proceeds of a swap. */
  readonly estimation: Estimation
  /** The cost of the transfer on its chain. */
  readonly fees: AnsweredFees
  /** The cost of a swap. */
  readonly swapFees: SwapFees
}

/** The proceeds of a swap. All strings except the amount are empty, because transfers do not swap. */
export interface Estimation {
  /** The amount of a token transfer; empty for any other intent. */
  readonly amount: string
  /** Empty, because a transfer does not swap. */
  readonly crossChainFee: string
  /** Empty, because a transfer does not swap. */
  readonly crossChainFeeCollector: string
  /** Empty, because a transfer does not swap. */
  readonly gasFeesInInputToken: string
  /** Empty, because a transfer does not swap. */
  readonly integratorFeesInInputToken: string
  /** Empty, because a transfer does not swap. */
  readonly outputAmount: string
  /** Empty, because a transfer does not swap. */
  readonly platformBaseFeesInInputToken: string
  /** Empty, because a transfer does not swap. */
  readonly recommendedSlippage: string
  /** Empty, because a transfer does not swap. */
  readonly routeId: string
  /** Empty, because a transfer does not swap. */
  readonly routeValidUntil: string
  /** Empty, because a transfer does not swap. */
  readonly sameChainFee: string
  /** Empty, because a transfer does not swap. */
  readonly sameChainFeeCollector: string
  /** Empty, because a transfer does not swap. */
  readonly slippageUsed: string
  /** Empty, because a transfer does not swap. */
  readonly totalFeesInInputToken: string
}

/** The cost of a swap: four empty strings, because transfers do not swap. */
export interface SwapFees {
  /** Empty, because a transfer does not swap. */
  readonly gasFeesInInputToken: string
  /** Empty, because a transfer does not swap. */
  readonly integratorFeesInInputToken: string
  /** Empty, because a transfer does not swap. */
  readonly platformBaseFeesInInputToken: string
  /** Empty, because a transfer does not swap. */
  readonly totalFeesInInputToken: string
}

/**
 * The operation of an estimate, with the specification's twelve fields: a paymaster pays, the account is deployed, and
 * the signature is added later.
 */
export interface PreparedUserOp {
  /** The call data of the account. */
  readonly callData: HexBytes
  /** The gas for the call itself. */
  readonly callGasLimit: Quantity128
  /** The highest price of a unit of gas, in wei: the cap. */
  readonly maxFeePerGas: Quantity128
  /** The tip for a unit of gas, in wei. */
  readonly maxPriorityFeePerGas: Quantity128
  /** The nonce. The service derives it from the job. */
  readonly nonce: Nonce
  /** The contract that pays. */
  readonly paymaster: Address
  /** The data for the paymaster; `PaymasterData` is the layout of the service's paymaster. */
  readonly paymasterData: HexBytes
  /** The gas for the paymaster's work after the call. */
  readonly paymasterPostOpGasLimit: Quantity128
  /** The gas for the paymaster's validation. */
  readonly paymasterVerificationGasLimit: Quantity128
  /** The gas that pays the bundler for work that the EntryPoint cannot measure. */
  readonly preVerificationGas: Quantity
  /** The account that executes the operation. */
  readonly sender: Address
  /** The gas for the account's validation. */
  readonly verificationGasLimit: Quantity128
}

/** A hex quantity of at most 256 bits, or 32 bytes of hex. */
export type Nonce = Hex

/** The findings about a reply: `{ok, findings}` in JSON. */
export interface Verification {
  /** `true` if there are no findings. */
  readonly ok: boolean
  /** The findings, at most one for each field and rule. */
  readonly findings: readonly Finding[]
}

/** A broken rule and its place in the reply. */
export interface Finding {
  /** The rule. */
  readonly rule: Rule
  /** The path from the root of the reply, with dots. */
  readonly path: string
  /** What was expected and what was found. */
  readonly message: string
  /** The expected value, if a single value was expected: at most 64 characters of it. */
  readonly expected?: string
  /** The value found in its place: at most 64 characters of it. */
  readonly found?: string
  /**
   * The field of the call data that differs, by its name in the answer of `decodeCall`, such as
   * `intent.details.recipientWalletAddress`.
   */
  readonly field?: string
}

/**
 * A rule that a reply must keep.
 * - `status`: `status` is `success`.
 * - `intent-type`: `data.callData.intentType` is the request's type.
 * - `job-id`: `data.callData.jobId` is the request's.
 * - `payload`: `data.callData.payload` is the request's details, and nothing more.
 * - `max-fee`: `data.userOps.maxFeePerGas` is the request's.
 * - `max-priority-fee`: `data.userOps.maxPriorityFeePerGas` is the request's.
 * - `nonce`: `data.userOps.nonce` is derived from the request's job.
 * - `paymaster-data`: `data.userOps.paymasterData` is the request's.
 * - `sender`: `data.userOps.sender` is `data.callData.userSWA`, and not the recipient.
 * - `fee-payer`: `data.callData.feePayerAddress` is the request's, or empty if the request has none. A fee payer needs
 *   sponsorship.
 * - `fee-chain`: Every key of `data.details.fees.transactionFees` is the intent's chain.
 * - `call-data`: `data.userOps.callData` decodes, and has exactly the content of request and reply.
 * - `shape`: A field that a rule needs is present and valid.
 */
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

/**
 * The deployment that a reply must match: the EntryPoint that executes its operation, the deployment's own addresses,
 * and the caller's expectations.
 */
export interface Deployment {
  /** The EntryPoint's address. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum). */
  readonly entryPoint: string
  /** The chain on which it is deployed. */
  readonly chainId: EvmChainId
  /** Its version. */
  readonly version: EntryPointVersion | (string & {})
  /** The order of fees in the operations sent to it; absent in JSON means `standard`. */
  readonly gasFeeOrder?: GasFeeOrder | (string & {}) | undefined
  /**
   * The contract that starts jobs. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum).
   */
  readonly jobManager: string
  /**
   * The contract that pays for operations. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55
   * checksum).
   */
  readonly paymaster: string
  /**
   * The application's smart wallet. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55
   * checksum).
   */
  readonly clientSWA: string
  /** The form of hash that the account's key signs; absent in JSON means `personal`. */
  readonly signs?: SignatureForm | (string & {}) | undefined
  /** Further expectations of the reply; absent in JSON means none. */
  readonly expect?: Expectations | undefined
  /** Addresses that the user knows: a recipient that only resembles one of them is a warning. */
  readonly known?: readonly string[] | undefined
  /** The user's own wallets: a raw transaction from any other is a warning. */
  readonly wallets?: readonly string[] | undefined
}

export const Deployment: Schema<Deployment> = /* @__PURE__ */ schema('Deployment')

/** A chain id, an integer from 1 to 2^53-1. From 1 to 9,007,199,254,740,991. */
export type EvmChainId = number

/**
 * The version of an EntryPoint contract.
 * - `0.7`: The hash is computed from the operation's ABI encoding.
 * - `0.8`: The hash is that of the operation as EIP-712 typed data.
 * - `0.9`: As 0.8, but a paymaster's signature is not part of the hash.
 */
export type EntryPointVersion = '0.7' | '0.8' | '0.9'

/**
 * The order of the two fees in `gasFees`.
 * - `standard`: The tip, then the cap: the order of ERC-4337.
 * - `maxFirst`: The cap, then the tip: the order of the service's public SDK.
 */
export type GasFeeOrder = 'standard' | 'maxFirst'

/**
 * The form of a user operation's hash that an account's key signs.
 * - `personal`: The EIP-191 personal message of the hash's 32 bytes.
 * - `raw`: The hash itself.
 * - `typedData`: The hash as EIP-712 typed data, with EntryPoint 0.8 and 0.9.
 */
export type SignatureForm = 'personal' | 'raw' | 'typedData'

/** Expectations of a reply in the fields that the request leaves open. An absent field expects nothing. */
export interface Expectations {
  /**
   * The user's smart wallet, the operation's sender. An address (`0x` and 40 hex digits, in one letter case or with its
   * ERC-55 checksum).
   */
  readonly userSWA?: string | undefined
  /** The features that are enabled for the application. */
  readonly policies?: Policies | undefined
  /** The job's need for the gas station network. */
  readonly gsn?: GsnRequirement | undefined
  /** The most that the operation may cost, in wei. A decimal integer from 0 to 2^256-1 without leading zeros. */
  readonly maxCost?: string | undefined
  /** The bounds of each gas limit. */
  readonly gas?: GasExpectations | undefined
  /** The current time, at which the paymaster must pay. */
  readonly now?: Seconds | undefined
}

/** The job's need for the gas station network. */
export interface GsnRequirement {
  /** Whether the job needs the gas station network. */
  readonly isRequired: boolean
  /** The chains on which the job needs it. */
  readonly requiredNetworks: readonly string[]
}

/** The job's need for the gas station network. */
export interface AnsweredGsnRequirement {
  /** Whether the job needs the gas station network. */
  readonly isRequired: boolean
  /** The chains on which the job needs it. */
  readonly requiredNetworks: readonly ChainId[]
}

/** The bounds of each gas limit. */
export interface GasExpectations {
  /** The bounds for the call itself. */
  readonly callGasLimit?: GasBounds | undefined
  /** The bounds for the account's validation. */
  readonly verificationGasLimit?: GasBounds | undefined
  /** The bounds for work that the EntryPoint cannot measure. This gas is charged even if the call fails. */
  readonly preVerificationGas?: GasBounds | undefined
  /** The bounds for the paymaster's validation. */
  readonly paymasterVerificationGasLimit?: GasBounds | undefined
  /** The bounds for the paymaster's work after the call. */
  readonly paymasterPostOpGasLimit?: GasBounds | undefined
}

/** The lower and upper bound of a gas limit. */
export interface GasBounds {
  /** The lower bound; absent in JSON means no bound. A hex quantity of at most 256 bits (`0x`, no leading zero). */
  readonly least?: string | undefined
  /** The upper bound; absent in JSON means no bound. A hex quantity of at most 256 bits (`0x`, no leading zero). */
  readonly most?: string | undefined
}

/** Seconds since the epoch, an integer below 2^48. From 0 to 281,474,976,710,655. */
export type Seconds = number

/** A user operation that may be signed: it matches the request, the deployment and the expectations. */
export interface Signable {
  /** The hash of the operation. */
  readonly hash: Word
  /**
   * The digest to sign: the hash's EIP-191 digest, or the hash itself if the deployment says so. A wallet's
   * `signMessage` computes the EIP-191 digest itself from the 32 bytes of `hash`.
   */
  readonly digest: Word
  /** The operation to send after signing: exactly the one that was hashed. */
  readonly operation: PreparedUserOp
  /** The effects of the signature. */
  readonly account: ClearSigning
  /** Warnings: points that a person should check again. */
  readonly warnings: readonly Warning[]
  /** The operation as EIP-712 typed data, if the account signs that form. */
  readonly typedData?: TypedData
}

/** 32 bytes of hex (`0x` and 64 hex digits). */
export type Word = Hex

/** The effects of a signature in plain data. Two operations have the same only if they are equal. */
export interface ClearSigning {
  /** The effects on the user's assets. */
  readonly call: CallDescription
  /** The operation that causes them. */
  readonly operation: SignedOperation
}

/**
 * The effects of call data: what moves, from whom, to whom, on which chain, and who pays. Addresses are in the mixed
 * case of ERC-55, as wallets show them.
 */
export interface CallDescription {
  /** The type of the intent. */
  readonly type: IntentType
  /** The chain of the intent. */
  readonly chain: ChainId
  /** The job. */
  readonly jobId: JobId
  /** The user's smart wallet, which the job acts for. */
  readonly from: Address
  /** The moves, in order. */
  readonly moves: readonly Move[]
  /** A sentence about each move. */
  readonly sentences: readonly string[]
  /** The account that pays the fee in the user's place; null if there is none. */
  readonly feePayer: Address | null
  /** The features that are enabled for the application. */
  readonly policies: Policies
  /** The job's need for the gas station network. */
  readonly gsn: AnsweredGsnRequirement
  /** The application's smart wallet. */
  readonly client: Address
  /** The contract that starts the job. */
  readonly jobManager: Address
}

/**
 * The type of an intent: `type` of a request, and text in the call data.
 * - `NFT_TRANSFER`: The transfer of an NFT.
 * - `TOKEN_TRANSFER`: The transfer of a token or of a chain's native token.
 * - `RAW_TRANSACTION`: Transactions that the caller made.
 */
export type IntentType = 'NFT_TRANSFER' | 'TOKEN_TRANSFER' | 'RAW_TRANSACTION'

/** One effect of an intent. */
export type Move =
  /** The transfer of an NFT. */
  | {
      /** What kind of thing happens. */
      readonly kind: 'nft'
      /** The current owner. */
      readonly from: Address
      /** The recipient. */
      readonly to: Address
      /** The contract of its collection. */
      readonly collection: Address
      /** The id of the NFT. */
      readonly nftId: NftId
      /** The standard of its contract. */
      readonly standard: NftType
      /** The number of pieces. */
      readonly amount: Amount
    }
  /** The transfer of a token. */
  | {
      /** What kind of thing happens. */
      readonly kind: 'token'
      /** The current owner. */
      readonly from: Address
      /** The recipient. */
      readonly to: Address
      /** The token's contract. */
      readonly contract: Address
      /** The amount, in the token's smallest unit. */
      readonly amount: Amount
    }
  /** The transfer of the chain's native token. */
  | {
      /** What kind of thing happens. */
      readonly kind: 'native'
      /** The current owner. */
      readonly from: Address
      /** The recipient. */
      readonly to: Address
      /** The amount, in the smallest unit (wei). */
      readonly amount: Amount
    }
  /** The call of a known function of a contract. */
  | {
      /** What kind of thing happens. */
      readonly kind: 'function'
      /** The caller. */
      readonly from: Address
      /** The contract. */
      readonly to: Address
      /** The native token that is sent along, in wei. */
      readonly value: Quantity
      /** The function, such as `transfer(address,uint256)`. */
      readonly function: string
      /** The arguments, in order. */
      readonly arguments: readonly MoveArgument[]
    }
  /** A call of an account or contract with an effect that is not known here. */
  | {
      /** What kind of thing happens. */
      readonly kind: 'call'
      /** The caller. */
      readonly from: Address
      /** The account or contract that is called. */
      readonly to: Address
      /** The native token that is sent along, in wei. */
      readonly value: Quantity
      /** The data of the call. */
      readonly data: HexBytes
    }

/** An argument of a function. */
export interface MoveArgument {
  /** Its name. */
  readonly name: string
  /** Its value: an address in the mixed case of ERC-55, a number as a decimal, bytes in hex, `true` or `false`. */
  readonly value: string
}

/** The operation that is signed. Amounts are decimals, in wei or in gas. */
export interface SignedOperation {
  /** The account that executes the operation. */
  readonly sender: Address
  /** The nonce. */
  readonly nonce: Nonce
  /** The EntryPoint that executes it. */
  readonly entryPoint: Address
  /** The chain on which it is executed; assets may move on another one. */
  readonly chainId: EvmChainId
  /** The version of the EntryPoint. */
  readonly version: EntryPointVersion
  /** The order of the two packed fees. */
  readonly gasFeeOrder: GasFeeOrder
  /** The form of hash that the account's key signs. */
  readonly signs: SignatureForm
  /** The highest price of a unit of gas, in wei: the cap. */
  readonly maxFeePerGas: string
  /** The tip for a unit of gas, in wei. */
  readonly maxPriorityFeePerGas: string
  /** The gas for the call itself. With too little gas the call fails, and is still paid for. */
  readonly callGasLimit: string
  /** The gas for the account's validation. */
  readonly verificationGasLimit: string
  /** The gas that pays the bundler for work that the EntryPoint cannot measure. */
  readonly preVerificationGas: string
  /** The gas for the paymaster's validation. */
  readonly paymasterVerificationGasLimit: string
  /** The gas for the paymaster's work after the call. */
  readonly paymasterPostOpGasLimit: string
  /** The most that it can cost, in wei: the required prefund. */
  readonly maxCost: string
  /**
   * The part of it that is charged even if the call fails, in wei: `preVerificationGas` at the fee cap. The gas used by
   * the verification is charged in addition.
   */
  readonly certainCost: string
  /** The payer. */
  readonly paymaster: Address
  /**
   * The time until which the paymaster pays, in seconds since the epoch; 0 means no end, null means data of another
   * layout.
   */
  readonly paymasterValidUntil: Seconds | null
  /** The time from which the paymaster pays, in the same form. */
  readonly paymasterValidAfter: Seconds | null
  /** The Keccak-256 hash of the paymaster's data. */
  readonly paymasterDataHash: Word
  /** The Keccak-256 hash of the call data. `call` does not show its spelling. */
  readonly callDataHash: Word
}

/** A point that a person should check again. */
export interface Warning {
  /** The kind. */
  readonly code: WarningCode
  /** The path from the root of the request, with dots; below `where`, in the deployment. */
  readonly path: string
  /** A sentence for people. */
  readonly message: string
}

/**
 * The kind of a warning.
 * - `recipient-zero`: A recipient is the zero address.
 * - `recipient-is-token`: A recipient is the token, the collection, or the contract of its own transfer call.
 * - `recipient-is-service`: A recipient is the deployment's job manager, paymaster, EntryPoint or client.
 * - `recipient-look-alike`: A recipient has the first and last four digits of a known address, but is another address.
 * - `token-native-alias`: The token is an address that some services use for the native token, but here it is a
 *   contract.
 * - `foreign-from`: A raw transaction is from a wallet that is not the user's.
 * - `approval-unlimited`: A spender may take any amount of a token.
 * - `approval`: A spender may take some amount of a token.
 * - `operator-for-all`: An operator may take every token of a collection.
 * - `permit`: A signed permission to take tokens is used.
 * - `ownership`: A contract gets another owner.
 * - `upgrade`: A contract gets another implementation.
 * - `unknown-call`: A contract is called in a way that is not known here.
 * - `signature-form`: The deployment does not state the form of the signature, and accounts of this EntryPoint version
 *   differ in it.
 */
export type WarningCode =
  | 'recipient-zero'
  | 'recipient-is-token'
  | 'recipient-is-service'
  | 'recipient-look-alike'
  | 'token-native-alias'
  | 'foreign-from'
  | 'approval-unlimited'
  | 'approval'
  | 'operator-for-all'
  | 'permit'
  | 'ownership'
  | 'upgrade'
  | 'unknown-call'
  | 'signature-form'

/**
 * A user operation as EIP-712 typed data, in the form that wallets take as `eth_signTypedData_v4`. Its hash is that of
 * EntryPoint 0.8 and 0.9.
 */
export interface TypedData {
  /** The EntryPoint that verifies the signature. */
  readonly domain: TypedDataDomain
  /** The types, the same for every operation. */
  readonly types: TypedDataTypes
  /** The type of the message: `PackedUserOperation`. */
  readonly primaryType: string
  /** The packed operation. */
  readonly message: TypedDataMessage
}

/** The domain of ERC-4337. */
export interface TypedDataDomain {
  /** `ERC4337`. */
  readonly name: string
  /** `1`. */
  readonly version: string
  /** The chain of the EntryPoint. */
  readonly chainId: EvmChainId
  /** The EntryPoint. */
  readonly verifyingContract: Address
}

/** The types of the typed data: the same for every operation. */
export interface TypedDataTypes {
  /** The members of the type. */
  readonly EIP712Domain: readonly Member[]
  /** The members of the type. */
  readonly PackedUserOperation: readonly Member[]
}

/** A member of a type. */
export interface Member {
  /** Its name. */
  readonly name: string
  /** Its type. */
  readonly type: string
}

/** The packed operation as it is hashed. Numbers are decimals. */
export interface TypedDataMessage {
  /** The account that executes the operation. */
  readonly sender: Address
  /** The nonce. */
  readonly nonce: string
  /** The factory and its data; empty if the account is deployed. */
  readonly initCode: HexBytes
  /** The call data of the account. */
  readonly callData: HexBytes
  /** The gas limits of validation and of the call, 16 bytes each. */
  readonly accountGasLimits: Word
  /** The gas before validation. */
  readonly preVerificationGas: string
  /** The two fees, 16 bytes each. */
  readonly gasFees: Word
  /** The paymaster, its two gas limits and its data; with EntryPoint 0.9 without the paymaster's signature. */
  readonly paymasterAndData: HexBytes
}

/** A kind of text. */
export type TextKind =
  | 'quantity'
  | 'hexBytes'
  | 'word'
  | 'address'
  | 'chainId'
  | 'jobId'
  | 'nftId'
  | 'amount'

/** The answer of `readText`, by the kind of the text. */
export interface TextMeanings {
  /** A number. */
  readonly quantity: {
    /** The value in lower-case hex. */
    readonly hex: Quantity
    /** In decimal. */
    readonly decimal: string
  }
  /** Bytes. */
  readonly hexBytes: {
    /** The number of bytes. */
    readonly length: number
  }
  /** Bytes. */
  readonly word: {
    /** The number of bytes. */
    readonly length: 32
  }
  /** An address. */
  readonly address: {
    /** The address in the mixed case of ERC-55. */
    readonly checksummed: Address
  }
  /** A chain. */
  readonly chainId: {
    /** The part before the colon. */
    readonly namespace: string
    /** The part after the colon. */
    readonly reference: string
  }
  /** A job. */
  readonly jobId: {
    /** The job in lower case. */
    readonly uuid: JobId
    /** The nonce of its user operation. */
    readonly nonce: Word
  }
  /** An NFT. */
  readonly nftId: {
    /** The kind of its identifier. */
    readonly kind: 'uuid' | 'tokenId'
  }
  /** An amount. */
  readonly amount: {
    /** The value in lower-case hex. */
    readonly hex: Quantity
  }
}

/** The content of a job's call data. */
export interface Call {
  /**
   * The contract that starts the job. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55
   * checksum).
   */
  readonly jobManager: string
  /** The job. A UUID (8-4-4-4-12 hex digits with hyphens). */
  readonly jobId: string
  /**
   * The application's smart wallet. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55
   * checksum).
   */
  readonly clientSWA: string
  /** The user's smart wallet. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum). */
  readonly userSWA: string
  /** The account that pays the fee in the user's place. A fee payer's address, or empty text for none. */
  readonly feePayerAddress: string
  /** The features that are enabled for the application. */
  readonly policies: Policies
  /** The job's need for the gas station network; absent in JSON means no need. */
  readonly gsn?: GsnRequirement | undefined
  /** The intent. */
  readonly intent: Intent
}

export const Call: Schema<Call> = /* @__PURE__ */ schema('Call')

/** The content of a job's call data. */
export interface AnsweredCall {
  /** The contract that starts the job. */
  readonly jobManager: Address
  /** The job. */
  readonly jobId: JobId
  /** The application's smart wallet. */
  readonly clientSWA: Address
  /** The user's smart wallet. */
  readonly userSWA: Address
  /** The account that pays the fee in the user's place. */
  readonly feePayerAddress: FeePayerAddress
  /** The features that are enabled for the application. */
  readonly policies: Policies
  /** The job's need for the gas station network; absent in JSON means no need. */
  readonly gsn?: AnsweredGsnRequirement | undefined
  /** The intent. */
  readonly intent: AnsweredIntent
}

/** An intent. */
export type Intent =
  | {
      /** The type of the intent. */
      readonly type: 'NFT_TRANSFER'
      /** The details of the intent. */
      readonly details: NftTransfer
    }
  | {
      /** The type of the intent. */
      readonly type: 'TOKEN_TRANSFER'
      /** The details of the intent. */
      readonly details: TokenTransfer
    }
  | {
      /** The type of the intent. */
      readonly type: 'RAW_TRANSACTION'
      /** The details of the intent. */
      readonly details: RawTransaction
    }

/** An intent. */
export type AnsweredIntent =
  | {
      /** The type of the intent. */
      readonly type: 'NFT_TRANSFER'
      /** The details of the intent. */
      readonly details: AnsweredNftTransfer
    }
  | {
      /** The type of the intent. */
      readonly type: 'TOKEN_TRANSFER'
      /** The details of the intent. */
      readonly details: AnsweredTokenTransfer
    }
  | {
      /** The type of the intent. */
      readonly type: 'RAW_TRANSACTION'
      /** The details of the intent. */
      readonly details: AnsweredRawTransaction
    }

/** The content of decoded call data. Addresses outside the intent are in lower case. */
export type DecodedCall = AnsweredCall & {
  /** The job's need for the gas station network. */
  readonly gsn: AnsweredGsnRequirement
}

/**
 * Names of chains and tokens that the caller knows. Sentences show them beside the raw values and never instead of
 * them, because they are the caller's own and not signed.
 */
export interface Names {
  /** Names of chains. */
  readonly chains?: readonly ChainName[] | undefined
  /** Symbols and decimals of tokens. */
  readonly tokens?: readonly TokenName[] | undefined
}

/** The name of a chain. */
export interface ChainName {
  /** The chain. A CAIP-2 chain id, such as `eip155:1` (its reference a decimal above zero). */
  readonly caip2Id: string
  /** Its name. */
  readonly name: string
}

/** The symbol of a token, and the number of decimals of its amounts. */
export interface TokenName {
  /** The chain. A CAIP-2 chain id, such as `eip155:1` (its reference a decimal above zero). */
  readonly caip2Id: string
  /** The token's contract; empty for the native token. A token's address, or empty text for the native token. */
  readonly tokenAddress: string
  /** Its symbol. */
  readonly symbol: string
  /** The number of decimals of its amounts, 0 to 77. */
  readonly decimals: Decimals
}

/** Decimals, an integer from 0 to 77. From 0 to 77. */
export type Decimals = number

/** A user operation for EntryPoint 0.7 and later, unpacked. */
export type UserOp = {
  /** The call data of the account. Hex bytes (`0x` and an even number of hex digits). */
  readonly callData: string
  /** The gas for the call itself. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly callGasLimit: string
  /**
   * The highest price of a unit of gas, in wei: the cap. A hex quantity of at most 128 bits (`0x`, no leading zero).
   */
  readonly maxFeePerGas: string
  /** The tip for a unit of gas, in wei. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly maxPriorityFeePerGas: string
  /** The nonce. The service derives it from the job. A hex quantity of at most 256 bits, or 32 bytes of hex. */
  readonly nonce: string
  /**
   * The gas that pays the bundler for work that the EntryPoint cannot measure. A hex quantity of at most 256 bits
   * (`0x`, no leading zero).
   */
  readonly preVerificationGas: string
  /**
   * The account that executes the operation. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55
   * checksum).
   */
  readonly sender: string
  /** The gas for the account's validation. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly verificationGasLimit: string
  /** The account's signature; it is not part of any hash. Hex bytes (`0x` and an even number of hex digits). */
  readonly signature?: string | undefined
} & (
  | {
      /**
       * The address of the contract. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55
       * checksum).
       */
      readonly factory: string
      /**
       * The call data of the contract; absent in JSON means no bytes. Hex bytes (`0x` and an even number of hex
       * digits).
       */
      readonly factoryData?: string | undefined
    }
  | {
      readonly factory?: undefined
      readonly factoryData?: undefined
    }
) & (
  | {
      /**
       * The address of the contract. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55
       * checksum).
       */
      readonly paymaster: string
      /**
       * The data for the contract; `PaymasterData` is the layout of the service's paymaster. Hex bytes (`0x` and an
       * even number of hex digits).
       */
      readonly paymasterData: string
      /** The gas for its work after the call. A hex quantity of at most 128 bits (`0x`, no leading zero). */
      readonly paymasterPostOpGasLimit: string
      /** The gas for its validation. A hex quantity of at most 128 bits (`0x`, no leading zero). */
      readonly paymasterVerificationGasLimit: string
    }
  | {
      readonly paymaster?: undefined
      readonly paymasterData?: undefined
      readonly paymasterPostOpGasLimit?: undefined
      readonly paymasterVerificationGasLimit?: undefined
    }
)

export const UserOp: Schema<UserOp> = /* @__PURE__ */ schema('UserOp')

/** Options for packing an operation. */
export interface PackOptions {
  /** The order of fees; absent in JSON means `standard`. */
  readonly gasFeeOrder?: GasFeeOrder | (string & {}) | undefined
}

export const PackOptions: Schema<PackOptions> = /* @__PURE__ */ schema('PackOptions')

/** A `PackedUserOperation` of EntryPoint 0.7 and later, without its signature, in lower-case hex. */
export interface PackedUserOp {
  /** The account that executes the operation. */
  readonly sender: Address
  /** The nonce as 32 bytes. */
  readonly nonce: Word
  /** The factory and its data; empty if the account is deployed. */
  readonly initCode: HexBytes
  /** The call data of the account. */
  readonly callData: HexBytes
  /** The gas limits of validation and of the call, 16 bytes each. */
  readonly accountGasLimits: Word
  /** The gas before validation as 32 bytes. */
  readonly preVerificationGas: Word
  /** The two fees, 16 bytes each, in the chosen `GasFeeOrder`. */
  readonly gasFees: Word
  /** The paymaster, its two gas limits of 16 bytes each, and its data; empty if the sender pays. */
  readonly paymasterAndData: HexBytes
}

/** An EntryPoint contract on its chain. */
export interface EntryPoint {
  /** Its address. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum). */
  readonly entryPoint: string
  /** The chain on which it is deployed. */
  readonly chainId: EvmChainId
  /** Its version. */
  readonly version: EntryPointVersion | (string & {})
  /** The order of fees in the operations sent to it; absent in JSON means `standard`. */
  readonly gasFeeOrder?: GasFeeOrder | (string & {}) | undefined
}

export const EntryPoint: Schema<EntryPoint> = /* @__PURE__ */ schema('EntryPoint')

/** An operation to sign: exactly the twelve fields that an estimate prepares. */
export interface UnsignedUserOp {
  /** The call data of the account. Hex bytes (`0x` and an even number of hex digits). */
  readonly callData: string
  /** The gas for the call itself. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly callGasLimit: string
  /**
   * The highest price of a unit of gas, in wei: the cap. A hex quantity of at most 128 bits (`0x`, no leading zero).
   */
  readonly maxFeePerGas: string
  /** The tip for a unit of gas, in wei. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly maxPriorityFeePerGas: string
  /** The nonce. The service derives it from the job. A hex quantity of at most 256 bits, or 32 bytes of hex. */
  readonly nonce: string
  /** The contract that pays. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum). */
  readonly paymaster: string
  /**
   * The data for the paymaster; `PaymasterData` is the layout of the service's paymaster. Hex bytes (`0x` and an even
   * number of hex digits).
   */
  readonly paymasterData: string
  /** The gas for the paymaster's work after the call. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly paymasterPostOpGasLimit: string
  /** The gas for the paymaster's validation. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly paymasterVerificationGasLimit: string
  /**
   * The gas that pays the bundler for work that the EntryPoint cannot measure. A hex quantity of at most 256 bits
   * (`0x`, no leading zero).
   */
  readonly preVerificationGas: string
  /**
   * The account that executes the operation. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55
   * checksum).
   */
  readonly sender: string
  /** The gas for the account's validation. A hex quantity of at most 128 bits (`0x`, no leading zero). */
  readonly verificationGasLimit: string
}

/** A signature, at least one byte of hex. */
export type SignatureBytes = Hex

/** An operation to send: the twelve fields and the signature. */
export interface SignedUserOp {
  /** The call data of the account. */
  readonly callData: HexBytes
  /** The gas for the call itself. */
  readonly callGasLimit: Quantity128
  /** The highest price of a unit of gas, in wei: the cap. */
  readonly maxFeePerGas: Quantity128
  /** The tip for a unit of gas, in wei. */
  readonly maxPriorityFeePerGas: Quantity128
  /** The nonce. The service derives it from the job. */
  readonly nonce: Nonce
  /** The contract that pays. */
  readonly paymaster: Address
  /** The data for the paymaster; `PaymasterData` is the layout of the service's paymaster. */
  readonly paymasterData: HexBytes
  /** The gas for the paymaster's work after the call. */
  readonly paymasterPostOpGasLimit: Quantity128
  /** The gas for the paymaster's validation. */
  readonly paymasterVerificationGasLimit: Quantity128
  /** The gas that pays the bundler for work that the EntryPoint cannot measure. */
  readonly preVerificationGas: Quantity
  /** The account that executes the operation. */
  readonly sender: Address
  /** The gas for the account's validation. */
  readonly verificationGasLimit: Quantity128
  /** The account's signature. */
  readonly signature: HexBytes
}

/** 24 digits in six groups of four, for people who compare two screens. */
export type ComparisonCode = string

/** A receipt as a bundler's `eth_getUserOperationReceipt` answers. Other fields are ignored. */
export interface UserOpReceipt {
  /** The hash of the operation. 32 bytes of hex (`0x` and 64 hex digits). */
  readonly userOpHash: string
  /** `false` if the account's call reverted. */
  readonly success: boolean
  /** The amount that was paid, in wei. A hex quantity of at most 256 bits (`0x`, no leading zero). */
  readonly actualGasCost: string
  /** The gas that was paid for. A hex quantity of at most 256 bits (`0x`, no leading zero). */
  readonly actualGasUsed: string
  /** The receipt of the transaction. Other fields are ignored. */
  readonly receipt?: {
    /** The transaction that held the operation. 32 bytes of hex (`0x` and 64 hex digits). */
    readonly transactionHash?: string
  }
}

/**
 * What a receipt says about an operation: `{outcome, actualGasCost, actualGasUsed, transactionHash?, reason?}` in JSON,
 * where amounts are decimals.
 */
export type UserOpOutcome =
  /** The account's call succeeded. */
  | {
      /** The outcome of the operation. */
      readonly outcome: 'succeeded'
      /** The amount that was paid, in wei, as a decimal. */
      readonly actualGasCost: string
      /** The gas that was paid for, as a decimal. */
      readonly actualGasUsed: string
      /** The transaction that held the operation, in the receipt's spelling. */
      readonly transactionHash?: Word
    }
  /** The account's call reverted. The operation was paid for, and its nonce is used. */
  | {
      /** The outcome of the operation. */
      readonly outcome: 'failed'
      /** The amount that was paid, in wei, as a decimal. */
      readonly actualGasCost: string
      /** The gas that was paid for, as a decimal. */
      readonly actualGasUsed: string
      /** The transaction that held the operation, in the receipt's spelling. */
      readonly transactionHash?: Word
      /** The reason; absent if the bundler gives none. */
      readonly reason?: RevertReason
    }
  /** The receipt is for another operation. */
  | {
      /** The outcome of the operation. */
      readonly outcome: 'other'
    }

/** The reason why a call reverted. */
export interface RevertReason {
  /** The error's kind. */
  readonly kind: 'Error' | 'Panic' | 'EntryPoint' | 'unknown'
  /**
   * The text of an `Error` or of the EntryPoint, the code of a `Panic`, else the beginning of the reason as it came.
   */
  readonly text: string
  /** The reason of the account or the paymaster. */
  readonly inner?: RevertReason
}

/** The state of a job that is sent: the operation's hash and its phase. */
export interface Submission {
  /** The job. A UUID (8-4-4-4-12 hex digits with hyphens). */
  readonly jobId: string
  /** The hash of its operation. 32 bytes of hex (`0x` and 64 hex digits). */
  readonly hash: string
  /** The phase. */
  readonly phase: SubmissionPhase | (string & {})
}

/** The state of a job that is sent: the operation's hash and its phase. */
export interface AnsweredSubmission {
  /** The job. */
  readonly jobId: JobId
  /** The hash of its operation. */
  readonly hash: Word
  /** The phase. */
  readonly phase: SubmissionPhase
}

/**
 * The phase of a submission.
 * - `sent`: One try is in progress. Every earlier try was refused.
 * - `refused`: The service refused every try.
 * - `unknown`: At least one try ended without an answer that settles it.
 * - `accepted`: The service accepted it.
 * - `succeeded`: Its receipt says that the account's call was executed.
 * - `failed`: Its receipt says that the account's call reverted. The nonce is used.
 */
export type SubmissionPhase = 'sent' | 'refused' | 'unknown' | 'accepted' | 'succeeded' | 'failed'

/** What happened to a submission. */
export type SubmissionStep =
  /** The operation is about to be sent, for the first time or again. */
  | {
      /** The type of the step. */
      readonly type: 'sent'
      /** The job. A UUID (8-4-4-4-12 hex digits with hyphens). */
      readonly jobId: string
      /** The hash of its operation. 32 bytes of hex (`0x` and 64 hex digits). */
      readonly hash: string
      readonly reply?: undefined
      readonly receipt?: undefined
    }
  /** The service answered. */
  | {
      /** The type of the step. */
      readonly type: 'answered'
      /** The body of the service's reply. */
      readonly reply: ServiceReply
      readonly jobId?: undefined
      readonly hash?: undefined
      readonly receipt?: undefined
    }
  /** The try ended without an answer. */
  | {
      /** The type of the step. */
      readonly type: 'brokenOff'
      readonly jobId?: undefined
      readonly hash?: undefined
      readonly reply?: undefined
      readonly receipt?: undefined
    }
  /** The bundler was asked for the receipt. */
  | {
      /** The type of the step. */
      readonly type: 'receipt'
      /** The bundler's answer; null if it has no receipt yet. */
      readonly receipt: UserOpReceipt | null
      readonly jobId?: undefined
      readonly hash?: undefined
      readonly reply?: undefined
    }

/** The body of a reply of the service, in each of its known forms. Other fields are ignored. */
export type ServiceReply =
  /** The operation was done or started. */
  | {
      /** The operation was done or started. */
      readonly status: 'success'
      /** The answer; the specification shows it for the estimate only. */
      readonly data: Opaque
    }
  | ServiceFailure

/** The body of an error reply of the service. */
export interface ServiceFailure {
  /** The operation was not done. */
  readonly status: 'error'
  /** The error. */
  readonly error: ServiceError
}

/** The error. */
export interface ServiceError {
  /**
   * Most often the HTTP status; some replies have a code of JSON-RPC. From −9,007,199,254,740,991 to
   * 9,007,199,254,740,991.
   */
  readonly code: number
  /** The message for people. */
  readonly message: string
  /** The service's own code, such as `ER-TECH-0100`. */
  readonly errorCode?: string
  /** The id for the service's support. */
  readonly trace_id?: string
  /** Another spelling of `trace_id`: a string, unless `trace_id` is present. */
  readonly traceId?: Opaque
  /** More about the error. */
  readonly details?: Opaque
  /** Another spelling of `details`; ignored if `details` is present. */
  readonly data?: Opaque
}

/** Any JSON value: the specification does not show its shape. */
export type Opaque = unknown

/** A submission after a step: `{state, verdict}` in JSON. */
export interface SubmissionProgress {
  /** The state to keep. */
  readonly state: AnsweredSubmission
  /** Whether the operation may be sent again. */
  readonly verdict: SubmissionVerdict
}

/**
 * Whether an operation may be sent again.
 * - `mayBeSent`: It did not happen, and no try is in progress.
 * - `mustNotBeSent`: The service accepted it, or it has happened.
 * - `mayHaveHappened`: A try is in progress or ended without an answer. The same operation may be sent again. Make no
 *   new job for the same intent before there is a receipt.
 * - `conflict`: Another operation was sent for this job. The state is unchanged; do not send this one.
 */
export type SubmissionVerdict = 'mayBeSent' | 'mustNotBeSent' | 'mayHaveHappened' | 'conflict'

/** A client's permission that the paymaster pays for a job. The client signs its hash. */
export interface PaymasterGrant {
  /** The job that the paymaster pays for. A UUID (8-4-4-4-12 hex digits with hyphens). */
  readonly jobId: string
  /** The client that pays. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum). */
  readonly clientSWA: string
  /** The end of the permission. */
  readonly validUntil: Seconds
  /** The start of the permission. */
  readonly validAfter: Seconds
}

export const PaymasterGrant: Schema<PaymasterGrant> = /* @__PURE__ */ schema('PaymasterGrant')

/** The data for the service's paymaster: the ABI encoding of `(address, uint48, uint48, bytes)`, 256 bytes. */
export interface PaymasterData {
  /** The client that pays. An address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum). */
  readonly clientSWA: string
  /** The end of the permission. */
  readonly validUntil: Seconds
  /** The start of the permission. */
  readonly validAfter: Seconds
  /** The client's signature of `hash`. 65 bytes of hex (`0x` and 130 hex digits). */
  readonly signature: string
}

export const PaymasterData: Schema<PaymasterData> = /* @__PURE__ */ schema('PaymasterData')

/** The data for the service's paymaster: the ABI encoding of `(address, uint48, uint48, bytes)`, 256 bytes. */
export interface AnsweredPaymasterData {
  /** The client that pays. */
  readonly clientSWA: Address
  /** The end of the permission. */
  readonly validUntil: Seconds
  /** The start of the permission. */
  readonly validAfter: Seconds
  /** The client's signature of `hash`. */
  readonly signature: Signature
}

/** 65 bytes of hex (`0x` and 130 hex digits). */
export type Signature = Hex

/**
 * How many calls a caller has in a window, how long a window is, and when a day begins. A day's first request starts
 * its first window, and the others follow back to back.
 */
export interface Policy {
  /** The number of calls in a window. From 1 to 2,097,151. */
  readonly limit: number
  /** The length of a window, in milliseconds. From 1,000 to 86,400,000. */
  readonly windowMs: number
  /** The minutes by which a day begins earlier than in UTC; absent means 0. From −720 to 840. */
  readonly dayOffsetMinutes?: number | undefined
  /** The rule for a window that is running at midnight; absent means `truncate`. */
  readonly midnight?: Midnight | (string & {}) | undefined
  /**
   * How far the clock may step back behind a window's start, in milliseconds; absent means `windowMs`. From 0 to
   * 8,640,000,000,000,000.
   */
  readonly holdMs?: number | undefined
}

export const Policy: Schema<Policy> = /* @__PURE__ */ schema('Policy')

/**
 * The rule for a window that is running at midnight.
 * - `truncate`: The window ends at midnight, and the day's first request starts a new one, as the specification says.
 *   The cost: up to three limits instead of two can be admitted within one window's length around midnight.
 * - `carry`: The window runs its full length. The first request after it starts the day's first window.
 */
export type Midnight = 'truncate' | 'carry'

/**
 * The state of a caller: when the window of its last admitted call started, or of its day's first request, and how much
 * of that window is taken.
 */
export interface Window {
  /** The start, in milliseconds since the epoch. */
  readonly start: Time
  /** The part of the limit that is used; it may exceed a limit that was lowered. From 0 to 2,097,151. */
  readonly count: number
}

export const Window: Schema<Window> = /* @__PURE__ */ schema('Window')

/**
 * A time, an integer of milliseconds since 1970-01-01T00:00:00Z. From −8,640,000,000,000,000 to 8,640,000,000,000,000.
 */
export type Time = number

/** A verdict, and the state for the next call of the same caller. */
export interface Admission {
  /** The state after the call; after a refusal, the unchanged state before it. */
  readonly window: Window
  /** The verdict: whether the call may pass. */
  readonly verdict: Verdict
}

/** The verdict on a call. A refusal is a value, not an error. */
export type Verdict =
  /** The call may pass, and is counted. */
  | {
      /** Whether the call may pass. */
      readonly admitted: true
      /** The position of the call in its window. */
      readonly phase: Phase
      /** The rest of the window's limit. */
      readonly remaining: number
      /** The seconds until the window ends, rounded up. */
      readonly resetAfter: number
    }
  /** The call may not pass, and is not counted. */
  | {
      /** Whether the call may pass. */
      readonly admitted: false
      /** The position of the call in its window. */
      readonly phase: Phase
      /**
       * The seconds until the window ends, rounded up, at least 1: the value of the header `retry-after`. After this
       * time the same call is admitted, unless others came first. One second earlier it is still refused.
       */
      readonly retryAfter: number
    }

/**
 * The position of a call in its window.
 * - `anchored`: The call is the day's first: its window starts now, and the day's other windows follow from it.
 * - `rolled`: The previous window is over. This one started a whole number of windows after the day's first.
 * - `same`: The window is running.
 * - `held`: The clock is before the window's start, within the hold time: the window is kept.
 * - `stepped-back`: The clock is further before the window's start: the caller starts anew, as with a day's first call.
 *   A clock that was wrongly ahead must not lock anyone out. Worth a line in a log.
 */
export type Phase = 'anchored' | 'rolled' | 'same' | 'held' | 'stepped-back'

/** Calls to send together, and their time. */
export interface PlanEntry {
  /** The time. */
  readonly at: Time
  /** The number of calls, each of cost 1; at least one. */
  readonly count: number
}

/** A question to a window that many processes share in Redis. */
export interface RedisAsk {
  /** The name of the environment: each has windows of its own. A name of 1 to 32 letters, digits, `-` or `_`. */
  readonly environment: string
  /** Who calls, in the host's own words; the store gets a keyed hash of it. A scope, text that is not empty. */
  readonly scope: string
  /** The host's secret, the same in all processes: without it no scope can be derived from the store. */
  readonly secret?: string | undefined
  /** What is asked. */
  readonly kind: RedisAskKind | (string & {})
  /** The cost, from 1 to the policy's limit; absent means 1. From 1 to 2,097,151. */
  readonly cost?: number | undefined
  /** The time, in milliseconds since the epoch; absent means the store's clock, the same for all processes. */
  readonly now?: Time | undefined
  /**
   * The time, by the same clock, from which on the request changes nothing, because its sender has given it up; absent
   * means never.
   */
  readonly deadline?: Time | undefined
}

/** A name of 1 to 32 letters, digits, `-` or `_`. */
export type Environment = string

/** A scope, text that is not empty. */
export type Scope = string

/**
 * The question to a window.
 * - `admit`: A call that counts: all of its cost is admitted, or nothing.
 * - `lease`: A batch for future calls: as much of it as is left.
 * - `peek`: The verdict that `admit` would give; nothing is written.
 * - `touch`: A request that does not count: it can only start the day's first window.
 */
export type RedisAskKind = 'admit' | 'lease' | 'peek' | 'touch'

/** A call of the script: `{key, arguments}` in JSON. */
export interface RedisRequest {
  /** `KEYS[1]`. */
  readonly key: string
  /** `ARGV`: eight texts, and a ninth for a deadline. */
  readonly arguments: readonly string[]
}

/** The answer of the script: `{at, granted, window, verdict}` in JSON. */
export interface RedisAnswer {
  /** The time of the judgement. */
  readonly at: Time
  /** How much was taken from the window, or would be taken after a peek; a batch may get less than it asked for. */
  readonly granted: number
  /** The window of the request, and its count. */
  readonly window: Window
  /**
   * The verdict; `None`, `null` in JSON, for a request that does not count, and for a call that the store took up at
   * its deadline or later, so that nothing was counted.
   */
  readonly verdict: Verdict | null
}

/** The operation of a method and a target, or the reason why they name none. */
export type FoundOperation =
  | {
      /** The operation that the request names. */
      readonly operation: OperationId
      /** Its path parameters, percent-decoded once. */
      readonly params: Params
      /** Whether its calls count under the rate limit. */
      readonly limited: boolean
      readonly refused?: undefined
    }
  | {
      /** The reason why it names no operation. */
      readonly refused: 'not-canonical' | 'method-not-allowed'
      /** The operation whose path or spelling comes closest. */
      readonly operation: OperationId
      readonly params?: undefined
      readonly limited?: undefined
    }
  | {
      /** The reason why it names no operation. */
      readonly refused: 'bad-target' | 'not-found'
      readonly operation?: undefined
      readonly params?: undefined
      readonly limited?: undefined
    }

/**
 * An operation of the service. The ids are this crate's own, because the specification has methods and paths only.
 * - `estimate`: Gas and fees of an intent, and its prepared user operation.
 * - `transferTokens`: Transfers tokens.
 * - `portfolio`: The user's tokens across all enabled networks.
 * - `orders`: The user's order history. A query may filter it; its parameters are not specified.
 * - `supportedNetworks`: The networks that are whitelisted on the caller's API key.
 * - `supportedTokens`: The tokens that are whitelisted on the caller's API key, for the enabled networks.
 * - `transferNft`: Transfers an NFT.
 * - `readContractData`: Reads contract data.
 * - `executeRawTransaction`: Executes a raw transaction.
 * - `serverCreateWallet`: Creates a wallet.
 * - `serverCreateWallets`: Creates wallets in bulk.
 * - `serverMintNft`: Mints an NFT.
 * - `serverTransferNft`: Transfers an NFT.
 * - `serverTransferTokens`: Transfers tokens for a user.
 * - `serverReadContractData`: Reads contract data.
 * - `serverExecuteRawTransaction`: Executes a raw transaction for a user.
 */
export type OperationId =
  | 'estimate'
  | 'transferTokens'
  | 'portfolio'
  | 'orders'
  | 'supportedNetworks'
  | 'supportedTokens'
  | 'transferNft'
  | 'readContractData'
  | 'executeRawTransaction'
  | 'serverCreateWallet'
  | 'serverCreateWallets'
  | 'serverMintNft'
  | 'serverTransferNft'
  | 'serverTransferTokens'
  | 'serverReadContractData'
  | 'serverExecuteRawTransaction'

/** Path parameters by the names in the operation's path template. */
export type Params = { readonly [key: string]: PathParam }

/** A path parameter (text that is not empty, not `.` or `..`, and without slash, backslash and NUL). */
export type PathParam = string

/** A trace id of 1 to 128 characters. */
export type TraceId = string

/** The reply to a call that the rate limit refuses. */
export interface RateLimited {
  /** The HTTP status. */
  readonly status: 429
  /** The headers. */
  readonly headers: {
    /** The seconds until the limit ends, in decimal digits. */
    readonly 'retry-after': string
  }
  /** The body. */
  readonly body: RateLimitedBody
}

/** The body of the reply to a call that the rate limit refuses. */
export interface RateLimitedBody {
  /** The operation was not done. */
  readonly status: 'error'
  /** The error. */
  readonly error: {
    /** The HTTP status. */
    readonly code: 429
    /** The service's own code. */
    readonly errorCode: 'ER-TECH-0100'
    /** The message for people. */
    readonly message: 'Rate Limit Exceeded'
    /** The trace id, which the caller gives to the service's support. */
    readonly trace_id: TraceId
  }
}

/** Why a host does not do what a request asks for. */
export type Refusal =
  | {
      /** The kind. */
      readonly refused:
        | 'bad-target'
        | 'not-found'
        | 'bad-host'
        | 'missing-token'
        | 'invalid-token'
        | 'missing-key'
        | 'invalid-key'
        | 'invalid-server-key'
        | 'invalid-pair'
        | 'store-lost'
        | 'content-type'
        | 'content-encoding'
        | 'too-large'
        | 'not-utf8'
        | 'failed'
      readonly operation?: undefined
      readonly retryAfter?: undefined
      readonly issues?: undefined
      readonly found?: undefined
    }
  | {
      /** The kind. */
      readonly refused: 'not-canonical' | 'method-not-allowed' | 'no-backend'
      /** The operation that the request is for, or comes near to. */
      readonly operation: OperationId
      readonly retryAfter?: undefined
      readonly issues?: undefined
      readonly found?: undefined
    }
  | {
      /** The kind. */
      readonly refused: 'rate-limited'
      /** The seconds until the restriction ends. From 1 to 9,007,199,254,740,991. */
      readonly retryAfter: number
      readonly operation?: undefined
      readonly issues?: undefined
      readonly found?: undefined
    }
  | {
      /** The kind. */
      readonly refused: 'bad-request'
      /** What is wrong with the request. */
      readonly issues: readonly Issue[]
      readonly operation?: undefined
      readonly retryAfter?: undefined
      readonly found?: undefined
    }
  | {
      /** The kind. */
      readonly refused: 'not-enabled'
      /** What is not enabled, in words. */
      readonly found: string
      readonly operation?: undefined
      readonly retryAfter?: undefined
      readonly issues?: undefined
    }

/** A refusal as HTTP carries it. */
export interface RefusalReply {
  /** The HTTP status. From 400 to 599. */
  readonly status: number
  /** Its content type, and what its kind needs. */
  readonly headers: { readonly [key: string]: string }
  /** What is sent. */
  readonly body: ServiceFailure
}

/** Whether a body has a form that can be read, by its headers. */
export type CheckedContent =
  | {
      readonly refused?: undefined
    }
  | {
      /** Why it cannot be read. */
      readonly refused: 'content-type' | 'content-encoding'
    }

/** The trace id and the request id of a request, from its headers. */
export interface Trace {
  /**
   * The `trace_id` of error replies: the trace-id of `traceparent`, else `x-request-id`. If it is absent, the host
   * makes one.
   */
  readonly traceId?: TraceId
  /** The `x-request-id` of the reply: the request's own, else the trace id. */
  readonly requestId?: TraceId
}

/** The part of a verdict that tells the rest of a window. Other fields are ignored. */
export type WindowRest =
  | {
      /** Whether the call may pass. */
      readonly admitted: true
      /** The rest of the window's limit. From 0 to 2,097,151. */
      readonly remaining: number
      /** The seconds until the window ends, rounded up. From 0 to 9,007,199,254,740,991. */
      readonly resetAfter: number
    }
  | {
      /** Whether the call may pass. */
      readonly admitted: false
      /** The seconds until the window ends, rounded up. From 0 to 9,007,199,254,740,991. */
      readonly retryAfter: number
    }

/**
 * The values of the headers `RateLimit-Policy` and `RateLimit` in the reply to a call that counts
 * (draft-ietf-httpapi-ratelimit-headers-10).
 */
export interface RateLimitFields {
  /**
   * The limit, and its window in seconds: rounded up, for the draft has whole seconds only, and the limit must not look
   * larger than it is.
   */
  readonly 'ratelimit-policy': string
  /** What is left of the window, and the seconds until it ends. */
  readonly ratelimit: string
}

/** A reply of the service in any of its known spellings. */
export type Reply =
  /** The operation was done or started. */
  | {
      /** Whether the operation was done. */
      readonly status: 'success'
      /** The answer; the specification shows it for the estimate only. */
      readonly data: Opaque
    }
  /** The operation was refused or failed. */
  | ErrorReply & {
      /** Whether the operation was done. */
      readonly status: 'error'
    }

/** An error of the service: `error` of its reply. */
export interface ErrorReply {
  /** Most often the HTTP status; some replies have a negative code of JSON-RPC. From −(2^53−1) to 2^53−1. */
  readonly code: number
  /** The message for people. */
  readonly message: string
  /** The service's own code, such as `ER-TECH-0100`. */
  readonly errorCode?: string
  /** The id for the service's support: `trace_id` of the reply, or else its `traceId`. */
  readonly traceId?: string
  /** More about the error: `details` of the reply, or else its `data`. */
  readonly details?: Opaque
}

/** The documents that come from outside, by the names of their types. */
export type DocumentKind =
  | 'EstimateRequest'
  | 'Facts'
  | 'Deployment'
  | 'Call'
  | 'UserOp'
  | 'PackOptions'
  | 'EntryPoint'
  | 'PaymasterGrant'
  | 'PaymasterData'
  | 'Policy'
  | 'Window'

/**
 * The content of an `Authorization` header with the scheme `Bearer`: `{token, expireAt?, sessionPublicKey?}` in JSON.
 */
export interface Bearer {
  /** The token: a secret. */
  readonly token: string
  /** When the token ends, in seconds since the epoch. */
  readonly expireAt?: number
  /** The session's public key on secp256k1: 65 bytes, `0x04` and the two coordinates (SEC 1, section 2.3.3). */
  readonly sessionPublicKey?: HexBytes
}

/** The check of a signature. */
export type SignatureCheck =
  /** The signer's key made the signature. */
  | {
      /** `true` if the signer's key made the signature. */
      readonly ok: true
    }
  /** The signer's key did not make the signature, or its form is wrong. */
  | {
      /** `true` if the signer's key made the signature. */
      readonly ok: false
      /** The first flaw of the signature. */
      readonly reason: 'length' | 'v' | 'range' | 'high-s' | 'signer'
      /** With `signer`: the address of the key that made the signature. */
      readonly found?: Address
    }

/** The call (`eth_call`) that checks a contract's signature: `{to, data, answer, deploy?}` in JSON. */
export interface SignatureCall {
  /** The contract. */
  readonly to: Address
  /** The call of `isValidSignature(bytes32,bytes)`. */
  readonly data: HexBytes
  /** The contract's answer if it accepts the signature. Any other answer, a revert or no answer refuses it. */
  readonly answer: Word
  /** The call to make first, in the same `eth_call`, if the contract has no code yet (ERC-6492). */
  readonly deploy?: DeployCall
}

/** The call that deploys a contract. */
export interface DeployCall {
  /** The factory. */
  readonly to: Address
  /** The data of the call. */
  readonly data: HexBytes
}
