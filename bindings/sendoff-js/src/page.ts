// The choice of a backend in pages: WebAssembly. It is that of `sendoff/signature` everywhere.

import type { Backend } from './exchange.js'
import { wasm } from './wasm.js'

export const choose = (): Backend => wasm
