// Modules that the build resolves: the WebAssembly as text and as a file.

declare module 'sendoff-wasm/text' {
  const text: string
  export default text
}

declare module 'sendoff-wasm/module' {
  const module: WebAssembly.Module
  export default module
}
