// The module as a file of its own, which browsers keep when the code changes. Bundlers find it by the expression below.

import { process } from './process.js'

/** The place of the file beside this one. */
declare const FILE: string

/** Without waiting there is no module. */
export function now(): never {
  throw new Error('`sendoff/url` answers after `await init()`: nothing was loaded before this call')
}

/** Loads the module from the place where the bundler put it. */
export async function later(): Promise<Response | BufferSource> {
  const place = new URL(FILE, import.meta.url)
  try {
    return await (place.protocol === 'file:' ? read(place) : ask(place))
  } catch (cause) {
    throw new Error(`no WebAssembly at ${place}; the entry \`sendoff\` needs no file`, { cause })
  }
}

/** For Node, whose `fetch` reads no files. In browsers, a page that was opened as a file cannot read other files. */
async function read(place: URL): Promise<BufferSource> {
  return process.getBuiltinModule('node:fs').readFileSync(place)
}

/** Some servers answer a missing file with a page, and some send no type for the file. */
async function ask(place: URL): Promise<Response | BufferSource> {
  const response = await fetch(place)
  if (response.headers.get('content-type') === 'application/wasm') return response
  const bytes = await response.arrayBuffer()
  if (response.ok && WebAssembly.validate(bytes)) return bytes
  throw new Error(`expected a WebAssembly module, found the answer ${response.status}`)
}
