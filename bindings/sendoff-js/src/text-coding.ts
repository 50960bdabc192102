// WebAssembly passes text with TextEncoder and TextDecoder, which every runtime has; but Jest's jsdom hides them from
// the code under test. The build uses these exports in place of the globals.

import { process } from './process.js'

export const { TextDecoder, TextEncoder } =
  'TextDecoder' in globalThis ? globalThis : process.getBuiltinModule('node:util')
