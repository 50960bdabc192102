// What WebAssembly needs to pass text, and every runtime has: but Jest's jsdom hides it from what it tests. The build puts
// these in the place of the global ones.

import { process } from './process.js'

export const { TextDecoder, TextEncoder } =
  'TextDecoder' in globalThis ? globalThis : process.getBuiltinModule('node:util')
