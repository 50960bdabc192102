// Checks that the wasm and the native addon answer with the same bytes to every vector of the project and to random inputs made
// from them. `node tests/conformance/same-bytes.mjs [INPUTS [SEED]]`, 100,000 by default, after `cargo xtask build`.
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { addon } from '../../bindings/sendoff-js/platform.mjs'

const [inputs = 100_000, seed = 1] = process.argv.slice(2).map(Number)
const at = (path) => new URL(`../../${path}`, import.meta.url)

const native = createRequire(import.meta.url)(at(`bindings/sendoff-js/dist/${addon}`).pathname)
// The module of the package, called by its exports (bindings/sendoff-wasm/src/text.rs).
const module = new WebAssembly.Module(readFileSync(at('bindings/sendoff-js/dist/sendoff.wasm')))
const { exports } = new WebAssembly.Instance(module)
const wasm = {
  call(...texts) {
    const bytes = Buffer.from(texts.join(''))
    const address = exports.room(bytes.length)
    new Uint8Array(exports.memory.buffer).set(bytes, address)
    // 0 stands for an absent argument.
    const length = exports.call(...texts.map((text) => (text === undefined ? 0 : Buffer.byteLength(text) + 1)))
    return Buffer.from(exports.memory.buffer, exports.answer(), length).toString()
  },
}

const suites = readdirSync(at('tests/vectors')).map((file) => JSON.parse(readFileSync(at(`tests/vectors/${file}`), 'utf8')))
// The functions of `sendoff/signature` have one backend.
const ofSignatures = ['checkSignature', 'signatureCall']
const shared = suites.flatMap(({ cases }) => cases).filter(({ call }) => !ofSignatures.includes(call))
const calls = shared.map(({ call, args }) => ({
  call,
  args: args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))),
}))
const alike = new Map(calls.map(({ call }) => [call, []]))
for (const input of calls) alike.get(input.call).push(input)

// mulberry32: a seed repeats a run.
let state = seed
function below(bound) {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound)
}
const one = (list) => list[below(list.length)]

const tokens = [
  ...'0123456789abcdefABCDEFxX"{}[],:-_. /\\%#;?', 'é', '\u0000', '💸', '\\ud800', 'null', 'true', '1e2', '-0', '1.5', '0x',
  '0x0', '9007199254740993', `${'9'.repeat(78)}`, `0x${'f'.repeat(64)}`, '"type":', '{"a":1,"a":2}', '[[[[', '\n',
]
const changes = [
  (text, from, to) => text.slice(0, from) + one(tokens) + text.slice(to),
  (text, from) => text.slice(0, from) + one(tokens) + text.slice(from),
  (text, from, to) => text.slice(0, from) + text.slice(to),
  (text, from, to) => text.slice(0, to) + text.slice(from),
  (text, from) => text.slice(0, from) + text.charAt(from).toUpperCase() + text.slice(from + 1),
]

function changed(text) {
  const from = below(text.length + 1)
  // Half of a surrogate pair is not text, and the package refuses it before it calls a backend.
  return one(changes)(text, from, from + 1 + below(below(4) === 0 ? 40 : 2)).toWellFormed()
}

const changeable = calls.filter(({ args }) => args.length > 0)

function made() {
  const { call, args } = one(changeable)
  const index = below(args.length)
  const argument = below(8) === 0 ? one(alike.get(call)).args[index] : changed(args[index])
  return { call, args: args.with(index, argument) }
}

function answer(backend, { call, args }) {
  try {
    return backend.call(call, ...args)
  } catch (error) {
    throw new Error(`${call} threw: ${error.message}\n${JSON.stringify(args)}`)
  }
}

let failed = 0
let refused = 0
function compare(input) {
  const [a, b] = [answer(wasm, input), answer(native, input)]
  if (a.startsWith('{"issues":')) refused += 1
  if (a === b) return
  failed += 1
  if (failed <= 10) console.log(`${input.call} ${JSON.stringify(input.args)}\n  wasm   ${a}\n  native ${b}`)
}

calls.forEach(compare)
console.log(`${calls.length} vectors, of which both refuse ${refused}`)
refused = 0
for (let n = 0; n < inputs; n += 1) compare(made())
console.log(`${inputs} made inputs from seed ${seed}, of which both refuse ${refused}`)
console.log(`${calls.length + inputs - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
