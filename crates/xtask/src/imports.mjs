// The wasm is pure: all that it imports is the part of its own glue that throws errors and holds references. A clock, a
// die or a door to the outside would show here as one more name.
import { readFileSync } from 'node:fs'

const wasm = new URL('../../../bindings/sendoff-js/dist/sendoff.wasm', import.meta.url)
const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(wasm)))
const glue = ({ module, name }) => module === './sendoff_wasm_bg.js' && /^__wbindgen_|^__wbg_(Error|__wbindgen)_/.test(name)
for (const { module, name, kind } of imports) console.log(`  ${kind} ${module} ${name}`)
const others = imports.filter((entry) => !glue(entry))
if (others.length > 0) throw new Error(`expected glue only, found ${others.map(({ name }) => name).join(', ')}`)
