// Modules that the build resolves: the WebAssembly as text and as a file, src/unpack.wat, a character for each byte, and the
// documents of tests/demo.

declare module 'sendoff-wasm/*' {
  const text: string
  export default text
}

declare module 'sendoff-wasm/module' {
  const module: WebAssembly.Module
  export default module
}

declare module 'sendoff-wasm/javascript' {
  /** A new instance of the module. */
  export function instantiate(): import('./exchange.js').Core
}

declare module 'sendoff-demo/*' {
  const document: any
  export default document
}
