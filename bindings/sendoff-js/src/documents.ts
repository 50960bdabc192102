// The documents that come from outside, as values of the same names as their types: schemas for whatever library speaks
// Standard Schema. The core judges; a page that validates nothing pays nothing.

import { requestSchema, schema, type Schema } from './schema.js'
import type * as types from './types.js'

/**
 * The body of an estimate request, with every rule that needs no facts.
 *
 * @example
 * ```ts
 * import { sValidator } from '@hono/standard-validator'
 *
 * app.post('/estimate', sValidator('json', EstimateRequest), (c) => c.json(estimate(c.req.valid('json'), facts)))
 * ```
 */
export const EstimateRequest: Schema<EstimateRequest> = /* @__PURE__ */ schema('EstimateRequest')
export type EstimateRequest = types.EstimateRequest

/** The request of an NFT transfer: for a form of that intent, whose fields are those of one type. */
export const NftTransferRequest: Schema<NftTransferRequest> = /* @__PURE__ */ requestSchema('NFT_TRANSFER')
export type NftTransferRequest = types.NftTransferRequest

/** The request of a token transfer, likewise. */
export const TokenTransferRequest: Schema<TokenTransferRequest> = /* @__PURE__ */ requestSchema('TOKEN_TRANSFER')
export type TokenTransferRequest = types.TokenTransferRequest

/** The request of raw transactions, likewise. */
export const RawTransactionRequest: Schema<RawTransactionRequest> = /* @__PURE__ */ requestSchema('RAW_TRANSACTION')
export type RawTransactionRequest = types.RawTransactionRequest

/** What the host knows of the deployment, the user and the chain. */
export const Facts: Schema<Facts> = /* @__PURE__ */ schema('Facts')
export type Facts = types.Facts

/** What a reply must be for. */
export const Deployment: Schema<Deployment> = /* @__PURE__ */ schema('Deployment')
export type Deployment = types.Deployment

/** The content of call data; each field by itself, no rule across fields. */
export const Call: Schema<Call> = /* @__PURE__ */ schema('Call')
export type Call = types.Call

/** A user operation. */
export const UserOp: Schema<UserOp> = /* @__PURE__ */ schema('UserOp')
export type UserOp = types.UserOp

/** The order of fees in a packed operation. */
export const PackOptions: Schema<PackOptions> = /* @__PURE__ */ schema('PackOptions')
export type PackOptions = types.PackOptions

/** Where an operation is executed. */
export const EntryPoint: Schema<EntryPoint> = /* @__PURE__ */ schema('EntryPoint')
export type EntryPoint = types.EntryPoint

/** What a paymaster's signature is over. */
export const PaymasterGrant: Schema<PaymasterGrant> = /* @__PURE__ */ schema('PaymasterGrant')
export type PaymasterGrant = types.PaymasterGrant

/** The content of paymaster data. */
export const PaymasterData: Schema<PaymasterData> = /* @__PURE__ */ schema('PaymasterData')
export type PaymasterData = types.PaymasterData

/** A rate limit. */
export const Policy: Schema<Policy> = /* @__PURE__ */ schema('Policy')
export type Policy = types.Policy

/** A caller's window; null is none. */
export const Window: Schema<Window> = /* @__PURE__ */ schema('Window')
export type Window = types.Window
