// The entry `sendoff/sandbox`: the pocket service, a whole wallet service in a WebAssembly module of its own.

import { SendoffError } from './error.js'
import { own } from './own.js'
import { type Core, exchange, instantiate, wasm } from './sandbox-core.js'
import { refusal, utf8 } from './sandbox/body.js'
import { delivered } from './sandbox/fetch.js'
import { checkWorld, type NodeRequest, type NodeResponse, respond } from './sandbox/node.js'
import { PATHS } from './sandbox/paths.js'
import type { Lie, SandboxOptions, SandboxReply, SandboxRequest, SandboxState } from './sandbox/types.js'

export { SendoffError, type Issue, type IssueCode } from './index.js'
export type * from './sandbox/types.js'
export type { NodeRequest, NodeResponse } from './sandbox/node.js'

/** The time of a sandbox. */
export interface SandboxWorld {
  /** Returns the time in milliseconds since the epoch; by default `Date.now`. */
  readonly now?: (() => number) | undefined
  /** Waits before a late reply; by default `setTimeout`. */
  readonly sleep?: ((ms: number) => Promise<void>) | undefined
  /** Is called after each reply, for a record that can be replayed. `fetch` and `listener` wait for its promise; `answer` does not. */
  readonly onAnswer?: ((request: SandboxRequest, now: number, reply: SandboxReply) => unknown) | undefined
  /** Is called with each error for which {@link Sandbox.listener} answers 500, such as one of `onAnswer`; by default `console.error`. */
  readonly onError?: ((error: unknown) => unknown) | undefined
}

/**
 * The pocket service: all operations of the service, with a ledger, a bundler and an EntryPoint. It needs no network, and lies on
 * demand.
 *
 * @example
 * ```ts
 * const sandbox = new Sandbox()
 * const response = await sandbox.fetch('https://sandbox.example/api/v1/portfolio', {
 *   headers: { authorization: 'Bearer sandbox-token' },
 * })
 * ```
 */
export class Sandbox {
  // Dropped when a call traps: its state may be half written.
  #core: Core | undefined
  readonly #now: () => number
  readonly #sleep: (ms: number) => Promise<void>
  readonly #onAnswer: SandboxWorld['onAnswer']
  readonly #onError: SandboxWorld['onError']

  /**
   * Starts a service.
   *
   * @throws {@link SendoffError} for an unknown option, profile or lie, by its name.
   * @throws TypeError unless each part of `world` is a function.
   */
  constructor(options: SandboxOptions = {}, world: SandboxWorld = {}) {
    const { now, sleep, onAnswer, onError } = own(world)
    checkWorld({ now, sleep, onAnswer, onError })
    this.#now = now ?? Date.now
    this.#sleep = sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)))
    this.#onAnswer = onAnswer
    this.#onError = onError
    this.#core = instantiate()
    this.#call('start', JSON.stringify(options))
  }

  /**
   * Returns a service that goes on from a saved state.
   *
   * @throws {@link SendoffError} if the state was not written by {@link Sandbox.save} of this version.
   */
  static load(saved: string, world: SandboxWorld = {}): Sandbox {
    const sandbox = new Sandbox({}, world)
    sandbox.#call('load', String(saved))
    return sandbox
  }

  /** All lies that it can tell, for the header `x-sandbox-lie`. */
  static lies(): readonly Lie[] {
    return JSON.parse(exchange(instantiate(), ['lies']))
  }

  /** Returns the state as text, for {@link Sandbox.load}. */
  save(): string {
    return this.#call('save')
  }

  /** Returns the state: users, ledger, orders, operations. A change of it changes nothing here. */
  state(): SandboxState {
    return JSON.parse(this.save())
  }

  /** Answers a request as data, at a time. The same requests at the same times have the same replies. */
  answer(request: SandboxRequest, now: number = this.#now()): SandboxReply {
    return this.#answered(request, now)[0]
  }

  /** Answers a request of `fetch`: a service worker, MSW and frameworks pass theirs on. A body that is not UTF-8 is 400. */
  readonly fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const body = utf8(await request.arrayBuffer())
    if (body === undefined) {
      const { status, headers, body } = refusal('not-utf8')
      return new Response(body, own({ status, headers: { ...headers } }))
    }
    const { pathname, search } = new URL(request.url)
    const headers = Object.fromEntries(request.headers)
    const reply = await this.#told({ method: request.method, target: pathname + search, headers, body })
    return delivered(reply, this.#sleep, request.signal)
  }

  /**
   * Returns `true` for the paths of the service, so that a service worker passes on all others, such as the page's own below `/api/v1/`.
   * Neither the origin nor the method counts: the service may have an origin of its own.
   */
  handles(request: { readonly url: string }): boolean {
    return PATHS.test(new URL(request.url).pathname)
  }

  /**
   * Answers a request of Node's `createServer`. A failure, such as an error of `onAnswer`, is 500, and told to `onError`. Of a body above
   * 2 MiB no more is read.
   */
  readonly listener = async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    await respond(request, response, (asked) => this.#told(asked), this.#sleep, this.#onError)
  }

  /** The reply, and what `onAnswer` returned. */
  #answered(request: SandboxRequest, now: number): readonly [SandboxReply, unknown] {
    const reply: SandboxReply = JSON.parse(this.#call('answer', JSON.stringify(request), String(Math.floor(now))))
    return [reply, this.#onAnswer?.(request, now, reply)]
  }

  /** Answers a request, and waits for `onAnswer`. */
  async #told(request: SandboxRequest): Promise<SandboxReply> {
    const [reply, heard] = this.#answered(request, this.#now())
    await heard
    return reply
  }

  #call(...texts: (string | undefined)[]): string {
    const core = this.#core
    if (!core) throw new Error('this sandbox broke in an earlier call: load a saved state')
    this.#core = undefined
    const answer = exchange(core, texts)
    this.#core = core
    if (answer.startsWith('{"issues":')) throw new SendoffError(JSON.parse(answer).issues)
    return answer
  }
}

/**
 * Compiles the WebAssembly of `sendoff/sandbox` in the background, so that the first sandbox need not.
 *
 * @throws Error with the reason if the module cannot be compiled.
 */
export async function init(): Promise<void> {
  await wasm.init()
}
