// The core of `sendoff/sandbox`: its module has the core's functions too. With the condition `sendoff-sandbox` it is the core of all
// other entries (`imports` in package.json), so a page with the pocket service has the core once.

export * from './core.js'
export { type Core, exchange } from './exchange.js'
export { instantiate, wasm } from './wasm.js'
// The build would put them into each file that uses the globals.
export { TextDecoder, TextEncoder } from './text-coding.js'
