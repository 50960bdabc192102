// What a page makes of the text of a module (packed.mjs), by src/inlined.ts: build.mjs compares it with the module.

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Returns the bytes of the module in a text. `unpacker` is src/unpack.wat, assembled. */
export async function unpacked(text, unpacker) {
  const texts = { 'sendoff-wasm/text': text, 'sendoff-wasm/unpack': unpacker.toString('latin1') }
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: /^sendoff-wasm\// }, ({ path }) => ({ path, namespace: 'texts' }))
    onLoad({ filter: /./, namespace: 'texts' }, ({ path }) => ({ contents: texts[path], loader: 'text' }))
  }
  const entryPoints = [fileURLToPath(new URL('src/inlined.ts', import.meta.url))]
  const options = { entryPoints, bundle: true, format: 'cjs', write: false, plugins: [{ name: 'texts', setup }] }
  const [{ text: code }] = (await build(options)).outputFiles
  const module = {}
  new Function('module', code)(module)
  return module.exports.now((bytes) => new WebAssembly.Module(bytes))
}
