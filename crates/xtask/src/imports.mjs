// Checks that the wasm imports nothing, such as a clock, random numbers or I/O.
import { readFileSync, readdirSync } from 'node:fs'

const dist = new URL('../../../bindings/sendoff-js/dist/', import.meta.url)
const modules = readdirSync(dist).filter((file) => file.endsWith('.wasm'))
if (modules.length === 0) throw new Error(`expected modules in ${dist}, found none`)
for (const file of modules) {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(new URL(file, dist))))
  console.log(`  ${file} imports ${imports.length === 0 ? 'nothing' : ''}`)
  if (imports.length > 0) throw new Error(`expected no import, found ${imports.map(({ name }) => name).join(', ')}`)
}
