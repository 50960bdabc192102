// The parts of Node that are used. They are reached through `process`, because bundlers for browsers fail on an import
// of `node:fs`, and some replace the bare word `process` with a polyfill.

/** `undefined` outside Node and runtimes that imitate it. */
export const { process } = globalThis as unknown as { process: Process }

interface Process {
  readonly platform: string
  readonly arch: string
  readonly env?: { readonly SENDOFF_BACKEND?: string }
  readonly report: { excludeNetwork: boolean; getReport(): { header: { glibcVersionRuntime?: string } } }
  getBuiltinModule(id: 'node:fs'): { readFileSync(place: string | URL): Uint8Array<ArrayBuffer> }
  getBuiltinModule(id: 'node:crypto'): { createHash(name: 'sha256'): Hash }
  getBuiltinModule(id: 'node:module'): { createRequire(from: string): Require }
  getBuiltinModule(id: 'node:util'): Pick<typeof globalThis, 'TextDecoder' | 'TextEncoder'>
}

interface Hash {
  update(bytes: Uint8Array): Hash
  digest(encoding: 'hex'): string
}

export interface Require {
  (id: string): unknown
  resolve(id: string): string
}
