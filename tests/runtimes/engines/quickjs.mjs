// As a program, `node quickjs.mjs FILE`: runs a file in QuickJS, and prints what it said.

import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { alone, shared } from './alone.mjs'

const require = createRequire(import.meta.url)
const { version } = require('quickjs-emscripten/package.json')
const here = fileURLToPath(import.meta.url)

/** QuickJS, which has no compiler, no WebAssembly and no TextEncoder. It interprets, and is itself WebAssembly here. */
export function quickjs({ ground }) {
  const run = async (share) => {
    const file = `${ground.wasm}/js/quickjs-${share}.js`
    writeFileSync(file, await alone(ground, share, { minify: true, target: 'es2020' }))
    const { stdout } = await promisify(execFile)(process.execPath, [here, file], { maxBuffer: 1 << 26 })
    return stdout
  }
  return [{ name: 'QuickJS, `sendoff/js`', version, runs: [() => shared('QuickJS', run)] }]
}

if (process.argv[1] === here) {
  const { getQuickJS } = require('quickjs-emscripten')
  const context = (await getQuickJS()).newContext()
  context.unwrapResult(context.evalCode(readFileSync(process.argv[2], 'utf8'))).dispose()
  const said = context.getProp(context.global, 'said')
  console.log(context.dump(said))
  said.dispose()
  context.dispose()
}
