import type { Catalogue, Policy } from '../types.js'

/** A request as data. */
export interface SandboxRequest {
  readonly method: string
  /** The path and the query. */
  readonly target: string
  readonly headers?: { readonly [name: string]: string } | undefined
  readonly body?: string | undefined
}

/** A reply as data. */
export interface SandboxReply {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  /** `half`: the connection breaks in the middle of the body. `never`: there is no reply. */
  readonly delivery: 'whole' | 'half' | 'never'
  /** The milliseconds before it. */
  readonly delayMs: number
}

/** A lie, for the header `x-sandbox-lie`. */
export interface Lie {
  readonly name: string
  /** What it does, in a sentence. */
  readonly about: string
  /** The requests that it can be told to. */
  readonly on: 'estimate' | 'writes' | 'orders' | 'receipt' | 'send' | 'lists' | 'every request'
  /** `true` for an estimate that lies in a part that is not signed: a client that does not read that part may go on. */
  readonly mayBeIgnored: boolean
  /** `true` for a lie about an order that failed. Another lie, `fails-later`, makes an order fail. */
  readonly needsFailure: boolean
  /** Whose words or form it has, as `owner/name@commit path`; empty for one of the pocket service's own. */
  readonly source: string
}

/** Each field may be absent. */
type Some<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined }

/** The first state of a sandbox. */
export interface SandboxOptions {
  /** The payloads. */
  readonly profile?: 'okto-v1' | undefined
  /** Text from which everything is made that a service makes at random. */
  readonly seed?: string | undefined
  /** The form of replies where descriptions of the live service contradict each other. */
  readonly switches?: Some<SandboxSwitches> | undefined
  /** How long things take, in milliseconds. */
  readonly delays?: Some<{ readonly start: number; readonly end: number; readonly block: number; readonly token: number }> | undefined
  readonly deployment?: Some<SandboxDeployment> | undefined
  /** What the application may use. */
  readonly catalogue?: Catalogue | undefined
  /** The rate limit of the application, whose client and server calls count together; `null` for none. */
  readonly limits?: Policy | null | undefined
  /** One request in `every` gets one of the lies in `names`, or of all. */
  readonly lies?: { readonly seed: string; readonly every: number; readonly names?: readonly string[] | undefined } | undefined
  /**
   * What a new user has: `tokens` of each token, in its display unit (10), and `nfts` new NFTs of each collection (1, at most 10). `null`
   * for nothing.
   */
  readonly newUser?: Some<{ readonly tokens: number; readonly nfts: number }> | null | undefined
  /** The address of the first user's session key. */
  readonly sessionKey?: string | undefined
  /** Tokens and collections. */
  readonly ledger?: SandboxState['ledger'] | undefined
}

/** The switches; the default is the first value. */
export interface SandboxSwitches {
  readonly ids: 'published' | 'order_id'
  readonly rawFailure: 'FAILURE' | 'FAILED'
  readonly portfolio: 'list' | 'object' | 'aggregated'
  readonly nftOrders: 'details' | 'nfts'
  readonly nftHash: 'transaction_hash' | 'tx_hash'
  readonly dates: 'go' | 'rfc3339'
  readonly timestamps: 'observed' | 'seconds' | 'milliseconds'
  readonly errorStatus: 'error' | 'failure'
  readonly successStatus: 'published' | '200'
  readonly networks: 'whitelisted' | 'all'
  readonly chainKey: 'caip2Id' | 'caip2id' | 'networkId'
  readonly value: 'any' | 'hex' | 'decimal'
  readonly nonces: 'job' | 'sequence'
  readonly minimum: 'none' | '1 USD'
  /** 10 */
  readonly pageSize: number
}

/** Where user operations go. Amounts are decimals, in wei. */
export interface SandboxDeployment {
  readonly entryPoint: string
  readonly chainId: number
  readonly version: '0.7' | '0.8' | '0.9'
  readonly gasFeeOrder: 'standard' | 'maxFirst'
  readonly jobManager: string
  readonly paymaster: string
  readonly clientSwa: string
  readonly gsnEnabled: boolean
  readonly sponsorshipEnabled: boolean
  /** The address of the key that signs grants; empty if grants are not checked. */
  readonly grantSigner: string
  readonly deposit: string
  readonly baseFee: string
}

/** The state of a sandbox. It may have more fields in another version. */
export interface SandboxState {
  readonly users: { readonly [id: string]: { readonly id: string; readonly wallet: string; readonly swa: string; readonly sessionKey: string } }
  readonly ledger: {
    readonly tokens: readonly {
      readonly caip2Id: string
      readonly address: string
      readonly name: string
      readonly symbol: string
      readonly decimals: number
      readonly price: string
      readonly balances: { readonly [holder: string]: string }
      readonly allowances: { readonly [ownerAndSpender: string]: string }
    }[]
    readonly collections: readonly {
      readonly caip2Id: string
      readonly address: string
      readonly name: string
      readonly symbol: string
      readonly standard: 'ERC721' | 'ERC1155'
      readonly nfts: {
        readonly [id: string]: {
          readonly name: string
          readonly description: string
          readonly uri: string
          readonly owners: { readonly [holder: string]: string }
          readonly approved: string
        }
      }
      readonly operators: readonly string[]
    }[]
  }
  readonly orders: readonly { readonly id: string; readonly user: string; readonly kind: string; readonly network: string; readonly status: string; readonly reason: string }[]
  readonly operations: readonly { readonly hash: string; readonly sender: string; readonly executed: boolean; readonly success: boolean; readonly reason: string }[]
  readonly deployment: SandboxDeployment
}
