// The parts of Node's HTTP that are used, and its modules.

import type { IncomingMessage } from 'node:http'
import { process } from '../process.js'

/** Node's request, as a server receives it. `stream` is of HTTP/2. */
export type Incoming = IncomingMessage & { readonly stream?: { readonly endAfterHeaders?: boolean } }

/** Headers as Node has them. */
export interface Fields {
  readonly [name: string]: string | string[] | undefined
}

/** The reply of a backend. */
export interface BackendReply {
  readonly status: number
  readonly headers: Fields
  /** A readable stream of Node. If it ends early, the reply of the host must end early too: use `pipeline`. */
  readonly body: AsyncIterable<Uint8Array>
}

/** @internal */
export const builtin = ((name: 'node:http') => {
  if (!process?.getBuiltinModule) throw new Error(`expected a runtime with \`${name}\`, found none`)
  return process.getBuiltinModule(name)
}) as typeof process.getBuiltinModule
