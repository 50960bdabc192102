// The types of `sendoff/flow`, and of what its parts hand on.

import type { Issue } from '../error.js'
import type { BundlerRefusal, Deployment, EstimateRequest, Hex, Names, ReplacementFees, Reply, Signable, SignedUserOp } from '../types.js'
import type { Submission, UserOpOutcome } from '../types.js'

/**
 * The functions of a program. One that rejects is a lost connection: the loop goes on, or ends, with the error as `cause` of the
 * outcome. If `show` or `sign` rejects, the person did not agree. If the store rejects, so does the call.
 */
export interface Program {
  /** Asks the service for an estimate. Resolves to the text of the reply, with the value of its header `retry-after`. */
  readonly estimate: (request: EstimateRequest) => Promise<{ readonly text: string; readonly retryAfter?: string | null | undefined }>
  /** Shows the effects of the signature to the person, with all warnings. Resolves to `true` if the person agrees. */
  readonly show: (signable: Signable) => Promise<boolean> | boolean
  /** Makes the signature in the form that the account checks: a key's has 65 bytes, a contract's may have more. */
  readonly sign: (signable: Signable) => Promise<Hex> | Hex
  /**
   * Sends the operation: to a bundler by `eth_sendUserOperation`, or to the service. Resolves to the hash, to the JSON-RPC response or to
   * the service's reply; or rejects with an error that has the JSON-RPC `code` and `message`, itself or as its `cause`.
   */
  readonly send: (operation: SignedUserOp) => Promise<unknown>
  /**
   * Asks the bundler by `eth_getUserOperationReceipt`. Resolves to its answer, `null` if it has no receipt; or rejects with viem's
   * `UserOperationReceiptNotFoundError`, which means the same.
   */
  readonly receipt: (hash: Hex) => Promise<unknown>
  /** Asks a chain node of your own about the nonce at a finalized block. Leave it out if you cannot. */
  readonly nonce?: ((sender: Hex, jobId: string) => Promise<NodeAnswer | null | undefined>) | undefined
  /** Judges higher fees before the service is asked for an operation with them. Resolves to `false` against it. */
  readonly raise?: ((fees: ReplacementFees) => Promise<boolean> | boolean) | undefined
  /** Waits before the next question, and so between two tries. Resolves to `false` to give up; a later call goes on from there. */
  readonly wait: () => Promise<boolean>
  /** The store of this intent, as text. `swap` stores `after` only if `before` is still stored, and resolves to whether it did. */
  readonly store: {
    readonly get: () => Promise<string | null>
    readonly swap: (before: string | null, after: string) => Promise<boolean>
  }
}

/** The answer of a node of your own, all of one finalized block. Other fields are ignored. */
export interface NodeAnswer {
  /** Whether the job's nonce is used (`nonceCall`, `readNonce`). */
  readonly used: boolean
  /** The block's timestamp, in seconds since the epoch. */
  readonly now: number
  /** `success` of the EntryPoint's event `UserOperationEvent` with this sender and nonce, if the node was asked for it. */
  readonly success?: boolean | undefined
}

/** What is transferred, and what the program knows of the service. */
export interface Transfer {
  /** The request with a new `jobId`. If the store has a job of this intent that is not expired, that one is used. */
  readonly request: EstimateRequest
  /** The known deployment. Its `expect` bounds every operation of the job, so also one with higher fees (`maxCost`). */
  readonly deployment: Deployment
  /** Names of chains, tokens and collections for the sentences. */
  readonly names?: Names | undefined
  /**
   * The end of an operation in seconds since the epoch (an integer from 0 to 2^48−1), if account or paymaster enforces one on chain; 0
   * by default, for no end.
   */
  readonly validUntil?: ((signable: Signable) => number) | undefined
  /** After so many rounds of questions in vain, the operation that was signed last is sent again; 3 by default. */
  readonly rounds?: number | undefined
  /** `true` if the person asks for higher fees: what was sent before is replaced, unless the questions settle it. */
  readonly replace?: boolean | undefined
}

/** How a transfer ended, or why it goes on later. */
export type FlowOutcome = FlowProblems &
  (
    | FlowExecuted<'succeeded'>
    /** The account's call reverted. The fee was paid. */
    | FlowExecuted<'failed'>
    /**
     * The program's node says that the nonce is used, and no receipt says by which operation. `success` is the node's, if it has one;
     * without it the result is unknown.
     */
    | { readonly outcome: 'executed'; readonly by: 'node'; readonly success?: boolean }
    /** It was not executed and never will be. Only now another job is safe: call again with another `jobId`. */
    | { readonly outcome: 'expired' }
    /** The reply does not match the request or the deployment, or is no proper document: there is nothing to sign. */
    | { readonly outcome: 'refused'; readonly issues: readonly Issue[] }
    /** The service answered the estimate with an error, or with a text that is no JSON object. */
    | { readonly outcome: 'unanswered'; readonly reply: Extract<Reply, { status: 'error' }> | undefined }
    /** The person did not agree, or `sign` made no signature that can be sent. */
    | { readonly outcome: 'declined' }
    /** It was sent, and is not settled yet. Call again to go on. `reply` is the service's error for another operation of the job. */
    | { readonly outcome: 'open'; readonly state: Submission; readonly reply?: Extract<Reply, { status: 'error' }> }
    /** Another tab or process works on another job of this intent. */
    | { readonly outcome: 'elsewhere' }
  )

/** The chain executed an operation of the job. */
export interface FlowExecuted<Outcome extends 'succeeded' | 'failed'> {
  readonly outcome: Outcome
  /** Whose word it is: that of the program's own node about a finalized block, or that of the bundler alone. */
  readonly by: 'node' | 'bundler'
  readonly receipt: Extract<UserOpOutcome, { outcome: Outcome }>
  readonly hash: Hex
}

/** What goes with an outcome, each part if it applies. */
export interface FlowProblems {
  /** The problems of the last answers, such as a receipt that cannot be read. */
  readonly issues?: readonly Issue[]
  /** The last refusal of an operation. */
  readonly refusal?: FlowRefusal
  /** The paths of a receipt's parts that could not be read. They do not decide the outcome. */
  readonly unread?: readonly string[]
  /** The error with which a function of the program rejected. */
  readonly cause?: unknown
}

/** A refusal of an operation (`readRefusal`), with its message. */
export type FlowRefusal = BundlerRefusal & { readonly message: string }

/** Where an operation is executed. */
export interface Where {
  readonly entryPoint?: string | undefined
  readonly chainId?: number | undefined
}

/** A signed operation. */
export interface Signed extends Where {
  readonly hash: string
  readonly operation: SignedUserOp
  readonly validUntil: number
}

/** A signed operation in the store, where it is before it is sent. */
export interface Kept extends Signed {
  /** How often it was sent, and how often that was refused in words that are understood. */
  readonly sends: number
  readonly refusals: number
}

export interface Saved {
  readonly state: Submission
  /** In the order in which they were signed: at most 17, as many as a submission has. */
  readonly operations: readonly Kept[]
  readonly outcome?: Settled | undefined
}

export type Settled = Extract<FlowOutcome, { by: string }>
