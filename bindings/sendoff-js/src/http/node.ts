// The parts of Node's HTTP that are used, and its modules, reached as in src/process.ts.

import { process } from '../process.js'

/** Node's request, as a server receives it. */
export interface Incoming extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Fields
  readonly complete: boolean
  readonly readableDidRead?: boolean | undefined
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined
  /** Of HTTP/2. */
  readonly stream?: { readonly endAfterHeaders?: boolean } | undefined
  on(event: 'close' | 'end', listener: () => void): unknown
  on(event: 'data', listener: (part: Uint8Array) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  pipe(to: unknown): unknown
}

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
export interface Sent {
  on(event: 'timeout' | 'close', listener: () => void): unknown
  on(event: 'upgrade', listener: (reply: unknown, socket: { destroy(): unknown }) => void): unknown
  on(event: 'response', listener: (reply: Incoming & { readonly statusCode: number }) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  destroy(error?: Error): unknown
}

interface Modules {
  'node:http': { request(url: string, options: object): Sent }
  'node:https': Modules['node:http']
  'node:net': {
    readonly BlockList: new () => {
      addSubnet(address: string, bits: number, family: 'ipv4' | 'ipv6'): void
      check(address: string, family: 'ipv4' | 'ipv6'): boolean
    }
    isIP(text: string): number
  }
  'node:stream': {
    pipeline(from: unknown, to: unknown, done: (error?: unknown) => void): unknown
    readonly Readable: { toWeb(stream: unknown): ReadableStream<Uint8Array> }
  }
}

/** @internal */
export function builtin<Name extends keyof Modules>(name: Name): Modules[Name] {
  const load = process?.getBuiltinModule as unknown as ((name: string) => Modules[Name]) | undefined
  if (!load) throw new Error(`expected a runtime with \`${name}\`, found none`)
  return load.call(process, name)
}
