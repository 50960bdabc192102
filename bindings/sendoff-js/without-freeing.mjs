// Empties the functions of a module that only free the memory of values: `without-freeing.mjs FROM TO`. The allocator of these
// modules frees nothing (bindings/sendoff-wasm/src/memory.rs), so all that they do is walk through the values. A compiler cannot
// know that their recursion ends, and keeps each call. The names are those of cargo; no type here has a `Drop` of its own.
import binaryen from 'binaryen'
import { readFileSync, writeFileSync } from 'node:fs'

const VALUES = ['document::value::Value', 'document::node::Node', 'document::node::Field', 'error::Issue', 'value::bytes::HexBytes',
  'value::chain_id::ChainId'].join('|').replaceAll('::', '\\.\\.')
const FREES = new RegExp(String.raw`drop_in_place\$LT\$(alloc\.\.vec\.\.Vec\$LT\$)?sendoff\.\.(${VALUES})\$GT\$`)

const [from, to] = process.argv.slice(2)
const module = binaryen.readBinary(readFileSync(from))
const functions = Array.from({ length: module.getNumFunctions() }, (_, index) => module.getFunctionByIndex(index))
for (const one of functions.filter((one) => FREES.test(binaryen.getFunctionInfo(one).name))) {
  binaryen.Function(one).body = module.nop()
}
writeFileSync(to, module.emitBinary())
