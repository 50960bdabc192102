// What the build puts beside these sources: the output of wasm-bindgen, and the final module as text and as a file.

declare module 'sendoff-wasm'

declare module 'sendoff-wasm/base64' {
  const base64: string
  export default base64
}

declare module 'sendoff-wasm/module' {
  const module: WebAssembly.Module
  export default module
}
