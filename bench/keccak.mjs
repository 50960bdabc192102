// node keccak.mjs: Keccak-256 and `signable` of the core in JavaScript (`sendoff/js`), beside the same core in WebAssembly, after both are
// compiled by the engine. Fails if a hash takes more than three times as long. It needs the modules of `cargo xtask build`.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const GOAL = 3
const TURNS = 201

const place = process.argv[2] ?? mkdtempSync(`${tmpdir()}/sendoff-keccak-`)
if (process.argv[2]) {
  await make()
  process.exit()
}
// In another process: binaryen's memory grows. After that V8 asks before each access to an array whether it is still there, as long as
// the process lives, and a hash takes a quarter longer. Pages without WebAssembly have no such memory.
execFileSync(process.execPath, [fileURLToPath(import.meta.url), place])
const wasm = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(`${place}/small.wasm`))).exports
const js = createRequire(import.meta.url)(`${place}/module.cjs`).instantiate()
rmSync(place, { recursive: true })

for (const bytes of [32, 136, 1024]) {
  assert.equal(hash(js, bytes).digest(), hash(wasm, bytes).digest())
  const ratio = compared(`keccak256 of ${bytes} bytes`, (core) => hash(core, bytes).again, 200)
  assert(ratio <= GOAL, `expected at most ${GOAL} of WebAssembly, found ${ratio.toFixed(2)}`)
}
const { args } = JSON.parse(readFileSync(at('../tests/vectors/signable.json'), 'utf8')).cases.find(({ call, ok }) => call === 'signable' && ok)
const texts = ['signable', ...args.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))]
assert.match(called(wasm, texts), /"digest"/)
assert.equal(called(js, texts), called(wasm, texts))
compared('signable', (core) => () => called(core, texts), 10)

/** The module as WebAssembly and as JavaScript, with its functions of Keccak as exports. */
async function make() {
  const { default: binaryen } = await import('../bindings/sendoff-js/node_modules/binaryen/index.js')
  const { optimize, SMALL, translated } = await import('../bindings/sendoff-js/modules.mjs')
  const module = binaryen.readBinary(readFileSync(at('../target/modules/pages/sign.wasm')))
  const functions = Array.from({ length: module.getNumFunctions() }, (_, index) => module.getFunctionByIndex(index))
  for (const { name } of functions.map(binaryen.getFunctionInfo))
    for (const part of ['absorb', 'squeeze'])
      if (name.includes(`keccak6Sponge${part.length}${part}`)) module.addFunctionExport(name, part)
  binaryen.setDebugInfo(true)
  writeFileSync(`${place}/exporting.wasm`, module.emitBinary())
  optimize(`${place}/exporting.wasm`, `${place}/small.wasm`, SMALL)
  writeFileSync(`${place}/module.cjs`, translated(`${place}/exporting.wasm`, `${place}/between`))
}

/** A hash of so many bytes: of a sponge, which is 344 bytes with its state first, and of a text, both of which are in the room of a call. */
function hash({ memory, room, absorb, squeeze }, bytes) {
  const sponge = Math.ceil(room(1 << 13) / 8) * 8
  const [text, digest] = [sponge + 512, sponge + 448]
  const all = new Uint8Array(memory.buffer)
  for (let i = 0; i < bytes; i++) all[text + i] = i
  const again = () => {
    all.fill(0, sponge, sponge + 344)
    absorb(sponge, text, bytes)
    squeeze(digest, sponge)
  }
  return { again, digest: () => (again(), Buffer.from(all.slice(digest, digest + 32)).toString('hex')) }
}

/** A call as the package makes it. */
function called({ memory, room, call, answer }, texts) {
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

/** Prints the medians of both, and returns the ratio of the least times: what else a busy machine does is no part of those. */
function compared(name, job, count) {
  const jobs = [wasm, js].map(job)
  const times = jobs.map(() => [])
  for (let turn = 0; turn < TURNS; turn++)
    jobs.forEach((job, which) => {
      const start = performance.now()
      for (let i = 0; i < count; i++) job()
      times[which].push(((performance.now() - start) * 1000) / count)
    })
  const [inWasm, inJs] = times.map((all) => all.sort((a, b) => a - b))
  const ratio = (at) => (inJs[at] / inWasm[at]).toFixed(2)
  const [slow, fast] = [inJs, inWasm].map((all) => all[TURNS >> 1].toFixed(2))
  console.log(`${name}: WebAssembly ${fast} µs, JavaScript ${slow} µs, ${ratio(TURNS >> 1)} ×; of the least times ${ratio(0)} ×`)
  return inJs[0] / inWasm[0]
}
