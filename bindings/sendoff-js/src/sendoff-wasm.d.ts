// What the build puts beside these sources: the output of wasm-bindgen, and the final module as text.

declare module 'sendoff-wasm'

declare module 'sendoff-wasm/base64' {
  const base64: string
  export default base64
}
