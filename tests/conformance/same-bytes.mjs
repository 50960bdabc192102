// Checks that the wasm and the native addon answer with the same bytes to every vector of the project: `node tests/conformance/same-bytes.mjs`,
// after `cargo xtask build`. Other inputs are the fuzzer's: its check `wasm` compares the core with the wasm.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { addon } from '../../bindings/sendoff-js/platform.mjs'
import { suites } from '../../bindings/sendoff-js/suite-files.mjs'

const at = (path) => new URL(`../../bindings/sendoff-js/dist/${path}`, import.meta.url)

const addonOf = createRequire(import.meta.url)(at(addon).pathname)
// The module of the package, called by its exports (bindings/sendoff-wasm/src/text.rs).
const module = new WebAssembly.Module(readFileSync(at('sendoff.wasm')))
const { exports } = new WebAssembly.Instance(module)
const native = (bytes, lengths) => addonOf.call(bytes, ...lengths)
const wasm = (bytes, lengths) => {
  const address = exports.room(bytes.length)
  new Uint8Array(exports.memory.buffer).set(bytes, address)
  const length = exports.call(...lengths)
  return Buffer.from(exports.memory.buffer, exports.answer(), length).toString()
}

let [passed, failed, refused] = [0, 0, 0]
for (const { call, args, name } of suites([]).flatMap(({ cases }) => cases)) {
  // The functions of `sendoff/signature` have one backend.
  if (['checkSignature', 'signatureCall'].includes(call)) continue
  const texts = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)))
  // 0 stands for an absent argument.
  const lengths = [call, ...texts].map((text) => (text === undefined ? 0 : Buffer.byteLength(text) + 1))
  const bytes = Buffer.from([call, ...texts].join(''))
  const [a, b] = [wasm, native].map((backend) => backend(bytes, lengths))
  if (a.startsWith('{"issues":')) refused += 1
  if (a === b) passed += 1
  else if (++failed <= 10) console.log(`${name}: ${call} ${JSON.stringify(texts)}\n  wasm   ${a}\n  native ${b}`)
}
console.log(`${passed} passed, ${failed} failed; both refuse ${refused}`)
process.exitCode = failed === 0 && passed > 3_000 ? 0 : 1
