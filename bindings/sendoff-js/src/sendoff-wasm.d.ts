// Modules that the build resolves: the WebAssembly as text and as a file.

declare module 'sendoff-wasm/hex' {
  const hex: string
  export default hex
}

declare module 'sendoff-wasm/module' {
  const module: WebAssembly.Module
  export default module
}
