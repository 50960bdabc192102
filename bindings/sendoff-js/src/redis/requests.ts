import { type RedisAsk, type RedisRequest, redisRequest } from '../index.js'
import { Memory } from './memory.js'

/** @internal */
export type Kind = 'admit' | 'peek' | 'touch'

/**
 * The requests of an environment's windows, made by the core.
 *
 * A scope's key does not change, and the arguments of a call of cost 1 depend on nothing but its kind and its deadline. Both
 * are kept, because hashing and two JSON texts take three times as long as to send the request.
 *
 * @internal
 */
export class Requests {
  readonly #policy: string
  readonly #asked: { readonly environment: string; readonly secret: string }
  readonly #keys = new Memory<{ readonly until: number; readonly key: string }>()
  readonly #arguments: Readonly<Record<Kind, readonly string[]>>

  /** @throws `SendoffError` with every problem of the policy, the environment and the secret. */
  constructor(policy: string, asked: { readonly environment: string; readonly secret: string }) {
    this.#policy = policy
    this.#asked = asked
    const of = (kind: Kind) => this.#made({ scope: 'any', kind }).arguments
    this.#arguments = { admit: of('admit'), peek: of('peek'), touch: of('touch') }
  }

  /** @throws `SendoffError` with every problem of the scope and the cost. */
  of(kind: Kind, scope: string, cost: number, deadline: number | undefined): RedisRequest {
    const known = cost === 1 ? this.#keys.get(scope, 0) : undefined
    if (!known) {
      const request = this.#made({ scope, kind, cost, deadline })
      this.#keys.set(scope, { until: Number.POSITIVE_INFINITY, key: request.key })
      return request
    }
    const kept = this.#arguments[kind]
    return { key: known.key, arguments: deadline === undefined ? kept : [...kept, String(deadline)] }
  }

  #made(ask: { scope: string; kind: Kind; cost?: number; deadline?: number | undefined }): RedisRequest {
    return redisRequest(this.#policy, { ...this.#asked, ...ask } as RedisAsk)
  }
}
