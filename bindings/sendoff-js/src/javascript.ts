// The core in JavaScript, for engines without WebAssembly and for pages whose policy forbids it: the module, translated by
// binaryen's wasm2js (build.mjs).

import { instantiate } from 'sendoff-wasm/javascript'
import { type Backend, type Core, exchange, MAX_MEMORY } from './exchange.js'

/** The instance, as long as every call returned normally (src/wasm.ts). */
let sound: Core | undefined

const javascript: Backend = {
  name: 'js',
  call(name, args) {
    const core = sound ?? instantiate()
    sound = undefined
    const answer = exchange(core, [name, ...args])
    if (core.memory.buffer.byteLength <= MAX_MEMORY) sound = core
    return answer
  },
}

export const choose = (): Backend => javascript
