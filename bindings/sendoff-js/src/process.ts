// As much of Node as is used, all of it by way of `process`: an import of `node:fs` is what bundlers for browsers stumble
// over, and behind the bare word `process` some put a polyfill.

/** There is none outside Node and what plays it. */
export const { process } = globalThis as unknown as { process: Process }

interface Process {
  readonly platform: string
  readonly arch: string
  readonly env?: { readonly SENDOFF_BACKEND?: string }
  readonly report: { excludeNetwork: boolean; getReport(): { header: { glibcVersionRuntime?: string } } }
  getBuiltinModule(id: 'node:fs'): { readFileSync(place: string | URL): Uint8Array<ArrayBuffer> }
  getBuiltinModule(id: 'node:module'): { createRequire(from: string): Require }
  getBuiltinModule(id: 'node:util'): Pick<typeof globalThis, 'TextDecoder' | 'TextEncoder'>
}

export interface Require {
  (id: string): unknown
  resolve(id: string): string
}
