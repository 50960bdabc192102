// Who may call what, by the credentials of a request. The gateway has the same rules.

import { type Operation, OPERATIONS, readBearer } from '../index.js'
import type { Scoped } from './guard.js'
import { checked, isFunction } from './options.js'
import { headersOf } from './trace.js'

/**
 * How a host looks up credentials. Each function returns the caller that a credential belongs to, or undefined. Without a function
 * no credential of that kind is accepted. Throw {@link Refused} with `users-lost` if the answer is not known, because a directory
 * does not answer: the reply is 503.
 *
 * Look up digests, such as SHA-256, so that neither a database nor the time of a comparison shows the secret.
 */
export interface Credentials<Caller extends Scoped> {
  /** The caller of a user's bearer token. */
  readonly token?: Lookup<Caller> | undefined
  /** The caller of an application's key in `x-api-key`, for client operations. */
  readonly key?: Lookup<Caller> | undefined
  /** The caller of an application's key in `x-api-key`, for server operations. */
  readonly serverKey?: Lookup<Caller> | undefined
}

type Lookup<Caller> = (credential: string) => Found<Caller> | Promise<Found<Caller>>
type Found<Caller> = Caller | null | undefined

/** The operations that a client key may call alone. */
const LISTS: readonly Operation[] = ['supportedNetworks', 'supportedTokens']

/**
 * Returns a function for `scope` of a guard, with the gateway's rules:
 *
 * - a server operation takes an application's server key, and a token beside it must have the same scope;
 * - a client operation takes a user's token, and a key beside it must have the same scope;
 * - the lists of networks and tokens take a client key alone as well.
 *
 * The caller is that of the token, or of the key for server operations and without a token.
 *
 * @example
 * ```ts
 * const scope = credentials({
 *   token: (token) => users.findByDigest(sha256(token)), // { scope: 'shop', userSWA: '0x…' }
 *   key: (key) => keys.get(sha256(key)), // { scope: 'shop' }
 *   serverKey: (key) => serverKeys.get(sha256(key)),
 * })
 * app.use(guardExpress({ scope, limiter }))
 * ```
 */
export function credentials<Caller extends Scoped>(
  lookups: Credentials<Caller>,
): (request: object, operation: Operation) => Promise<Caller | undefined> {
  const { token, key, serverKey } = checked(lookups, { token: isFunction, key: isFunction, serverKey: isFunction })
  if (!token && !key && !serverKey) throw new TypeError('expected one of the functions `token`, `key` and `serverKey`, found none')
  return async (request, operation) => {
    const header = headersOf(request)
    const [presented, authorization] = [header('x-api-key'), header('authorization')]
    const isOfServer = OPERATIONS.some(({ id, side }) => id === operation && side === 'server')

    const byKey = presented === undefined ? undefined : await (isOfServer ? serverKey : key)?.(presented)
    // An unknown key, or a key for another use, is refused.
    if (presented !== undefined && !byKey) return undefined
    // Beside a server key, other schemes are not read.
    if (authorization === undefined || (isOfServer && !/^bearer( |$)/i.test(authorization))) {
      return isOfServer || LISTS.includes(operation) ? (byKey ?? undefined) : undefined
    }

    // Throws for a malformed header, and the guard refuses the request.
    const byToken = await token?.(readBearer(authorization).token)
    if (!byToken || (byKey && byKey.scope !== byToken.scope)) return undefined
    return isOfServer ? (byKey ?? undefined) : byToken
  }
}
