// What build.mjs makes of a module of cargo with binaryen: a smaller or faster module, or JavaScript.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

const binaryen = (program) => fileURLToPath(new URL(`node_modules/binaryen/bin/${program}`, import.meta.url))

// The features that rustc emits. With all features, wasm-opt writes types that engines refuse.
export const FEATURES = ['--mvp-features', ...['bulk-memory', 'bulk-memory-opt', 'call-indirect-overlong', 'multivalue', 'mutable-globals',
  'nontrapping-float-to-int', 'reference-types', 'sign-ext'].map((name) => `--enable-${name}`)]
// Offsets may be added to addresses, because none is below 1024: the stack is there, and it ends far above. A module without
// nested expressions is optimized further; then the second `-Oz` nests them again. Both are 1.3 % of a module. Data stays in
// one piece: cut at its zeros it is 3 % smaller as it is, and 2 % of a module larger compressed.
export const SMALL = ['--low-memory-unused', '--flatten', '--rereloop', '-Oz', '-Oz', '--skip-pass=memory-packing', '--reorder-functions']
export const FAST = ['--low-memory-unused', '-O2']

// For JavaScript: after a second `-Oz` it is larger.
const SIMPLE = ['--low-memory-unused', '--flatten', '--rereloop', '-Oz', '--skip-pass=memory-packing', '--reorder-functions']
const TO_JAVASCRIPT = ['-Oz', '--skip-pass=memory-packing']

/** What `translated` depends on beside the module. */
export const TRANSLATION = [...SIMPLE, 'wasm2js', ...TO_JAVASCRIPT, 'data as text', 'unaligned numbers by functions']

/** binaryen is WebAssembly itself. To compile it for speed takes longer than it then saves: half of a short run. */
export function optimize(from, to, passes) {
  run('wasm-opt', [...passes, from, '-o', to])
}

/** Returns a module as JavaScript that exports `instantiate`. `between` is a path for the files on the way. */
export function translated(from, between) {
  optimize(from, `${between}.wasm`, SIMPLE)
  run('wasm2js', [...TO_JAVASCRIPT, `${between}.wasm`, '-o', `${between}.mjs`])
  const [code] = readFileSync(`${between}.mjs`, 'utf8').split('\nvar retasmFunc = ')
  const contents = `${withFunctions(withText(code))}\nexports.instantiate = () => asmFunc({})\n`
  return transformSync(contents, { minify: true, format: 'cjs', target: 'es2015' }).code
}

/** wasm2js writes data in base64. As text, a character for each byte, a page is 3 % smaller: compression finds its words. */
function withText(code) {
  const decode = 'base64DecodeToExistingUint8Array'
  const copy = `function ${decode}(bytes, at, text) { for (var i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i) }`
  const textOf = (_, call, base64) => call + JSON.stringify(Buffer.from(base64, 'base64').toString('latin1'))
  const [before, , after] = code.split(/( {2}var base64ReverseLookup[^]*?)(?=function initActiveSegments)/)
  return `${before}${copy}\n${after.replace(new RegExp(`(${decode}\\(bufferView, \\d+, )"([^"]*)"`, 'g'), textOf)}`
}

/** wasm2js takes unaligned numbers apart wherever they are read and written. With a function for each a page is 6 % smaller. */
function withFunctions(code) {
  const byte = (base) => String.raw`\[${base}(?: \+ (\d+))? \| 0\]`
  const [first, next] = [byte(String.raw`(\$\w+)`), byte(String.raw`\1`)]
  const load = String.raw`HEAPU8${first} \| HEAPU8${next} << 8 \| \(HEAPU8${next} << 16 \| HEAPU8${next} << 24\)`
  const store = String.raw`HEAP8${first} = (\$\w+);\s+HEAP8${next} = \3 >>> 8;\s+HEAP8${next} = \3 >>> 16;\s+HEAP8${next} = \3 >>> 24;`
  const inOrder = (at, ...others) => others.every((other, index) => Number(other) === Number(at) + index + 1)
  const loads = (found, base, at = 0, b, c, d) => (inOrder(at, b, c, d) ? `load(${base} + ${at})` : found)
  const stores = (found, base, at = 0, value, b, c, d) => (inOrder(at, b, c, d) ? `store(${base} + ${at}, ${value});` : found)
  return `${code.replace(new RegExp(load, 'g'), loads).replace(new RegExp(store, 'g'), stores)}
function load(at) { return bufferView[at] | bufferView[at + 1] << 8 | bufferView[at + 2] << 16 | bufferView[at + 3] << 24 }
function store(at, value) { for (var end = at + 4; at < end; value >>= 8) bufferView[at++] = value }`
}

function run(program, args) {
  execFileSync(process.execPath, ['--liftoff-only', binaryen(program), ...FEATURES, ...args], { stdio: 'inherit' })
}
