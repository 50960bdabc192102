import type { Hex, UnsignedUserOp } from '../../bindings/sendoff-js/dist/index.js'
import type { ClientWorld, Outcome } from '../../bindings/sendoff-js/dist/testing.js'

type Told = Pick<ClientWorld, 'url' | 'token' | 'request' | 'deployment' | 'privateKey' | 'sleep'>

/** What a client is told of its world by `againstLies` of `sendoff/testing`, as far as it needs it. */
export interface World extends Told, Partial<Pick<ClientWorld, 'gasLimits'>> {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Is called with the reason of a refusal. */
  readonly told?: (error: unknown) => void
}

export type Client = (world: World) => Promise<Outcome>

export const trusting: Client
export const careful: Client
/** A client that signs what `signs` says. */
export function client(signs: (given: World & { readonly text: string }) => { readonly operation: UnsignedUserOp; readonly hash: Hex }): Client
