// The core in JavaScript, for engines without WebAssembly and for pages whose policy forbids it: the module, translated by
// binaryen's wasm2js (build.mjs).

import { instantiate } from 'sendoff-wasm/javascript'
import { type Backend, calling } from './exchange.js'

const javascript: Backend = { name: 'js', call: /* @__PURE__ */ calling({ sound: undefined }, instantiate) }

export const choose = (): Backend => javascript
