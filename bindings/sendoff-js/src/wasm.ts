// The core as WebAssembly, inlined: no file to lose on the way through bundlers and servers, no `init()` to await.

import {
  __wbg_reset_state, initSync, admit, decodeCall, decodePaymasterData, describeCall, encodeCall,
  encodePaymasterData, estimate, findOperation, maxCost, operationPath, packUserOp, paymasterHash, peek, plan,
  rateLimited, readBearer, readReply, readText, redisAnswer, redisRequest, signable, signingDigest, touch, userOpHash,
  verifyEstimate,
} from 'sendoff-wasm'
import base64 from 'sendoff-wasm/base64'
import type { Backend } from './backend.js'

/** The functions of the core. Named one by one, so that what else is in the glue is left out of the bundle. */
const core = {
  admit, decodeCall, decodePaymasterData, describeCall, encodeCall, encodePaymasterData, estimate, findOperation,
  maxCost, operationPath, packUserOp, paymasterHash, peek, plan, rateLimited, readBearer, readReply, readText,
  redisAnswer, redisRequest, signable, signingDigest, touch, userOpHash, verifyEstimate,
}

export type CoreFunction = keyof typeof core

let compiled: WebAssembly.Module | undefined

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
    sound = true
    return answer
  },
}

/** On first use, and not while the module is loaded: whoever only imports pays nothing. */
function instantiate(): void {
  if (compiled) return __wbg_reset_state()
  const module = new WebAssembly.Module(decode(base64))
  initSync({ module })
  compiled = module
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  // Ten times as fast, where it exists.
  if ('fromBase64' in Uint8Array) return (Uint8Array as unknown as Base64Reader).fromBase64(text)
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}

interface Base64Reader {
  fromBase64(text: string): Uint8Array<ArrayBuffer>
}
