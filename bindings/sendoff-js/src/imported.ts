// The module as Cloudflare Workers have it: compiled when the Worker was deployed, for they compile none at run time.

import module from 'sendoff-wasm/module'

/** The module, without waiting. */
export const now = (): WebAssembly.Module => module

/** The same where the caller can wait. */
export const later = now
