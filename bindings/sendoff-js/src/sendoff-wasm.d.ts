// What the build puts beside these sources: the output of wasm-bindgen, and the final module as text and as a file.

declare module 'sendoff-wasm'

declare module 'sendoff-wasm/hex' {
  const hex: string
  export default hex
}

declare module 'sendoff-wasm/module' {
  const module: WebAssembly.Module
  export default module
}
