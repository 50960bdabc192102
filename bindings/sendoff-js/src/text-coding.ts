// What WebAssembly needs to pass text, and every runtime has: but Jest's jsdom hides it from what it tests. The build puts
// these in the place of the global ones.

const { TextDecoder, TextEncoder } = 'TextDecoder' in globalThis ? globalThis : process.getBuiltinModule('node:util')

export { TextDecoder, TextEncoder }

declare const process: {
  getBuiltinModule(id: 'node:util'): Pick<typeof globalThis, 'TextDecoder' | 'TextEncoder'>
}
