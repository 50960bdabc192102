import type { EstimateRequest, Deployment, GasFigures, Hex, UnsignedUserOp } from 'sendoff'

/** What a client is told of its world, as `againstLies` of `sendoff/testing` tells it. */
export interface World {
  readonly url: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly token: string
  readonly request: EstimateRequest
  readonly deployment: Deployment
  readonly gasLimits?: Omit<GasFigures, 'maxFeePerGas'>
  readonly privateKey: Hex
  readonly sleep: (ms: number) => Promise<void>
  /** Is called with the reason of a refusal. */
  readonly told?: (error: unknown) => void
}

export type Client = (world: World) => Promise<'succeeded' | 'failed' | 'refused' | 'unknown'>

export const trusting: Client
export const careful: Client
/** A client that signs what `signs` says. */
export function client(signs: (given: World & { readonly text: string }) => { readonly operation: UnsignedUserOp; readonly hash: Hex }): Client
