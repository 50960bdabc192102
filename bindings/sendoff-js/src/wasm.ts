// The core as WebAssembly.

import initialize, {
  __wbg_reset_state, initSync, admit, checkDocument, decodeCall, decodePaymasterData, describeCall, encodeCall,
  encodePaymasterData, estimate, findOperation, maxCost, operationPath, packUserOp, paymasterHash, peek, plan,
  rateLimited, readBearer, readReply, readText, redisAnswer, redisRequest, signable, signingDigest, touch, userOpHash,
  verifyEstimate,
} from 'sendoff-wasm'
import { later, now } from './inlined.js'

/** The functions of the core. Named one by one, so that what else is in the glue is left out of the bundle. */
const core = {
  admit, checkDocument, decodeCall, decodePaymasterData, describeCall, encodeCall, encodePaymasterData, estimate,
  findOperation, maxCost, operationPath, packUserOp, paymasterHash, peek, plan, rateLimited, readBearer, readReply,
  readText, redisAnswer, redisRequest, signable, signingDigest, touch, userOpHash, verifyEstimate,
}

export type CoreFunction = keyof typeof core

/**
 * Somebody who answers for the core.
 *
 * @internal
 */
export interface Backend {
  readonly name: 'wasm' | 'native'
  call(name: CoreFunction, args: (string | undefined)[]): string
  /** Readies it for the first call, where that takes time. */
  init?(): Promise<void>
}

/**
 * The longest text that the core reads. Memory of WebAssembly grows and never shrinks: what a longer one took is given
 * back together with the instance.
 */
const MAX_TEXT = 1 << 20

/** Whether there is an instance, or was one: its module is kept for the next. */
let made = false

/**
 * Whether the instance was left the ordinary way. A trap, or a stack that overflows, may leave its memory half written.
 * The core keeps no state between calls, so a new instance of the same module is as good as the old one ever was.
 */
let sound = false

export const wasm: Backend = {
  name: 'wasm',
  call(name, args) {
    if (!sound) instantiate()
    // Not in a `catch`: where the stack is used up, nothing more can be called there.
    sound = false
    const answer = core[name](...args)
    sound = args.every((text) => text === undefined || text.length <= MAX_TEXT)
    return answer
  },
  async init() {
    if (made) return
    const module = await later()
    await initialize({ module_or_path: module }).catch(refuse)
    made = sound = true
  },
}

/** On first use, and not while the module is loaded: whoever only imports pays nothing. */
function instantiate(): void {
  if (made) return __wbg_reset_state()
  const module = now()
  try {
    initSync({ module })
  } catch (cause) {
    refuse(cause)
  }
  made = true
}

/** What an engine says of a module that it does not compile is not enough to know what to do. */
function refuse(cause: unknown): never {
  const advice =
    cause instanceof RangeError
      ? '`await init()` before the first call compiles it beside the page'
      : "a Content-Security-Policy must allow 'wasm-unsafe-eval', a bundler for Workers know the condition `workerd`"
  throw new Error(`the WebAssembly is not compiled here: ${advice} (${String(cause)})`, { cause })
}
