// The supported clients, by their shape: none of them is a dependency.

import { REDIS_SCRIPT, type RedisRequest } from '../index.js'
import { member, own } from '../own.js'

/** The part of ioredis that is used, for one server, sentinels or a cluster. */
export interface IoRedis {
  evalsha(sha1: string, keys: number, ...keyAndArguments: string[]): Promise<unknown>
  eval(script: string, keys: number, ...keyAndArguments: string[]): Promise<unknown>
}

/** The part of node-redis that is used, for one server, a pool, sentinels or a cluster. */
export interface NodeRedis {
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/**
 * Runs the script by its name. If the store does not know the name, sends the text, which also registers the name.
 *
 * @internal
 */
export type Script = (request: RedisRequest) => Promise<unknown>

/** @internal */
export function scriptOf(client: IoRedis | NodeRedis): Script {
  const { byName, byText } = callsOf(client)
  return (request) =>
    byName(request).catch((error: Error | null) => {
      if (!String(member(Object(error) as Error, 'message')).startsWith('NOSCRIPT')) throw error
      return byText(request)
    })
}

/**
 * Below 6, ioredis sends calls of one moment to a node by the script's name instead of by their keys, and all of them fail. From 6 on it
 * has the command `waitaof`.
 */
function losesCalls(client: IoRedis & { readonly isCluster?: unknown; readonly options?: object; readonly waitaof?: unknown }): boolean {
  const { enableAutoPipelining }: { readonly enableAutoPipelining?: unknown } = own(member(client, 'options') ?? {})
  return member(client, 'isCluster') === true && enableAutoPipelining === true && member(client, 'waitaof') === undefined
}

function callsOf(client: IoRedis | NodeRedis): { readonly byName: Script; readonly byText: Script } {
  const { text, sha1 } = REDIS_SCRIPT
  if ('evalsha' in client && member(client, 'evalsha')) {
    if (losesCalls(client)) {
      throw new Error('expected a cluster of ioredis without `enableAutoPipelining`, or ioredis 6, found `enableAutoPipelining` with an ioredis below 6')
    }
    return {
      byName: ({ key, arguments: rest }) => client.evalsha(sha1, 1, key, ...rest),
      byText: ({ key, arguments: rest }) => client.eval(text, 1, key, ...rest),
    }
  }
  if ('evalSha' in client && member(client, 'evalSha')) {
    return {
      byName: ({ key, arguments: rest }) => client.evalSha(sha1, { keys: [key], arguments: [...rest] }),
      byText: ({ key, arguments: rest }) => client.eval(text, { keys: [key], arguments: [...rest] }),
    }
  }
  throw new Error('expected a client of ioredis or node-redis, found neither `evalsha` nor `evalSha`')
}
