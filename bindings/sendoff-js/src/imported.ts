// The module for Cloudflare Workers: compiled at deployment, because Workers compile nothing at run time.

import module from 'sendoff-wasm/module'

/** Returns the module at once. */
export const now = (): WebAssembly.Module => module
