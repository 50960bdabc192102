// What the admin API answers: docs/schema/admin.json.

import type { AnsweredCatalogue, Policy } from 'sendoff'

export interface Session {
  readonly name: string
  readonly environments: readonly string[]
}

export interface Key {
  readonly id: string
  readonly kind: 'client' | 'server' | 'user'
  readonly madeAt: number
  readonly endsAt?: number
}

export interface Sponsored {
  readonly caip2Id: string
  readonly gsnEnabled: boolean
  readonly sponsorshipEnabled: boolean
  readonly transactionFee?: string
}

export interface Refused {
  readonly at: number
  readonly operation: string
  readonly status: number
  readonly reason: string
  readonly issue?: string
}

/** What can be changed of an application; `null` is what its environment has. */
export interface Alteration {
  readonly clientSWA: string
  readonly policy?: Policy | 'none' | null
  readonly origins?: readonly string[] | '*' | null
}

export interface Application extends Alteration {
  readonly environment: string
  readonly name: string
  readonly catalogue: AnsweredCatalogue
  readonly sponsorship: readonly Sponsored[]
  readonly keys: readonly Key[]
  readonly refusals: readonly Refused[]
  readonly window?: {
    readonly policy: Policy
    readonly next?: { readonly admitted: boolean; readonly remaining?: number; readonly resetAfter?: number; readonly retryAfter?: number }
  }
}

export interface Change {
  readonly madeAt: number
  readonly by: string
  readonly environment: string
  readonly application: string
  readonly action: string
  readonly about: { readonly [key: string]: unknown }
}
