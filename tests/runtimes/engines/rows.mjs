import { hermes } from './hermes.mjs'
import { quickjs } from './quickjs.mjs'

/** Engines without WebAssembly and without a compiler to machine code. */
export const engines = [quickjs, hermes]
