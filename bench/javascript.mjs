// node javascript.mjs: `signable` of the core in JavaScript (`sendoff/js`), beside the same core in WebAssembly, after both are compiled by
// the engine. It needs the package of `cargo xtask build`.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../bindings/sendoff-js/dist/${path}`, import.meta.url))
const TURNS = 201

const wasm = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(at('sign.wasm')))).exports
const js = createRequire(import.meta.url)(at('js/module-sign.cjs')).instantiate()
const { cases } = JSON.parse(readFileSync(new URL('../tests/vectors/signable.json', import.meta.url), 'utf8'))
const { args } = cases.find(({ call, ok }) => call === 'signable' && ok)
const texts = ['signable', ...args.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))]
assert.match(called(wasm), /"digest"/)
assert.equal(called(js), called(wasm))

const [inWasm, inJs] = [wasm, js].map((core) => Array.from({ length: TURNS }, () => microseconds(core)).sort((a, b) => a - b)[TURNS >> 1])
console.log(`signable: WebAssembly ${inWasm.toFixed(2)} µs, JavaScript ${inJs.toFixed(2)} µs, ${(inJs / inWasm).toFixed(2)} ×`)

function microseconds(core) {
  const start = performance.now()
  for (let i = 0; i < 10; i++) called(core)
  return (performance.now() - start) * 100
}

/** A call as the package makes it. */
function called({ memory, room, call, answer }) {
  const encoded = texts.map((text) => new TextEncoder().encode(text))
  let end = room(encoded.reduce((sum, { length }) => sum + length, 0))
  for (const text of encoded) {
    new Uint8Array(memory.buffer).set(text, end)
    end += text.length
  }
  const lengths = encoded.map(({ length }) => length + 1)
  const length = call(...lengths, ...Array(6 - lengths.length).fill(0))
  return new TextDecoder().decode(new Uint8Array(memory.buffer, answer(), length))
}
