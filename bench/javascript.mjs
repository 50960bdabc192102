// node javascript.mjs: `signable` in JavaScript (`sendoff/js/sign`), beside that in WebAssembly (`sendoff/sign`), after both are compiled by
// the engine. It needs the package of `cargo xtask build`.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

process.env.SENDOFF_BACKEND = 'wasm'
const [wasm, js] = await Promise.all(['sign', 'js/sign'].map((entry) => import(`../bindings/sendoff-js/dist/${entry}.mjs`)))
const TURNS = 201

const { cases } = JSON.parse(readFileSync(new URL('../tests/vectors/signable.json', import.meta.url), 'utf8'))
const { args, ok } = cases.find(({ call, ok }) => call === 'signable' && ok)
assert.equal(wasm.signable(...args).digest, ok.digest)
assert.deepEqual(js.signable(...args), wasm.signable(...args))
assert.deepEqual([wasm, js].map(({ backend }) => backend()), ['wasm', 'js'])

const [inWasm, inJs] = [wasm, js].map((side) => Array.from({ length: TURNS }, () => microseconds(side)).sort((a, b) => a - b)[TURNS >> 1])
console.log(`signable: WebAssembly ${inWasm.toFixed(2)} µs, JavaScript ${inJs.toFixed(2)} µs, ${(inJs / inWasm).toFixed(2)} ×`)

function microseconds({ signable }) {
  const start = performance.now()
  for (let i = 0; i < 10; i++) signable(...args)
  return (performance.now() - start) * 100
}
