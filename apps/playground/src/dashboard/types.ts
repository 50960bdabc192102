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
  readonly userSWA?: string
  readonly secret?: string
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

export interface Application {
  readonly environment: string
  readonly name: string
  readonly clientSWA: string
  readonly catalogue: AnsweredCatalogue
  readonly sponsorship: readonly Sponsored[]
  readonly keys: readonly Key[]
  readonly users: number
  readonly refusals: readonly Refused[]
  readonly window?: {
    readonly policy: Policy
    readonly next?: { readonly admitted: boolean; readonly remaining?: number; readonly resetAfter?: number; readonly retryAfter?: number }
  }
}

export interface Change {
  readonly revision: number
  readonly madeAt: number
  readonly by: string
  readonly environment: string
  readonly application: string
  readonly action: string
  readonly about: Readonly<Record<string, unknown>>
}
