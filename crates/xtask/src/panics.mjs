// The modules import nothing, such as a clock, random numbers or I/O; and the places where they can panic. Rust keeps the file, line and column of each beside the code that is left after
// optimisation: what the optimiser proved unreachable has none. None may be in our own code.
import { readFileSync, readdirSync } from 'node:fs'
import binaryen from '../../../bindings/sendoff-js/node_modules/binaryen/index.js'

/** The initial memory of a module: its data segments, each at its address. */
function memory(wasm) {
  const module = binaryen.readBinary(wasm)
  const segments = Array.from({ length: module.getNumDataSegments() }, (_, at) => module.getDataSegmentInfo(module.getDataSegmentByIndex(at)))
  const all = Buffer.alloc(Math.max(0, ...segments.map(({ offset, data }) => offset + data.byteLength)))
  for (const { offset, data } of segments) all.set(new Uint8Array(data), offset)
  module.dispose()
  return all
}

/** The places in a module: file, line and column, each as `core::panic::Location` has them. */
export function places(wasm) {
  const all = memory(wasm)
  const found = new Set()
  for (let at = 0; at + 16 <= all.length; at += 4) {
    const [start, length, line, column] = [0, 4, 8, 12].map((offset) => all.readUInt32LE(at + offset))
    if (length < 4 || length > 300 || start === 0 || start + length > all.length) continue
    const file = all.toString('latin1', start, start + length)
    if (/^[\w./+-]+\.rs$/.test(file) && line > 0 && line < 100_000 && column > 0) found.add(`${file}:${line}:${column}`)
  }
  return [...found].sort()
}

const dist = new URL('../../../bindings/sendoff-js/dist/', import.meta.url)
const modules = readdirSync(dist).filter((file) => file.endsWith('.wasm'))
if (modules.length === 0) throw new Error(`expected modules in ${dist}, found none`)
for (const module of modules) {
  const wasm = readFileSync(new URL(module, dist))
  const [imports, all] = [WebAssembly.Module.imports(new WebAssembly.Module(wasm)), places(wasm)]
  const ours = all.filter((place) => /^(crates|bindings)\//.test(place))
  console.log(`  ${module}: ${imports.length} imports; ${ours.length} places in our code can panic, ${all.length - ours.length} in libraries`)
  if (process.argv.includes('--all')) for (const place of all) console.log(`    ${place}`)
  if (imports.length + ours.length > 0) process.exitCode = 1
  for (const { name } of imports) console.log(`    imports ${name}`)
  for (const place of ours) console.log(`    ${place}`)
}
