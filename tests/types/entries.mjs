// node entries.mjs: the types of every entry of the packed package, for TypeScript 5 and 7, as ESM, as CommonJS and for bundlers.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { install } from '../../bindings/sendoff-js/pack.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const place = at('../../target/entries')
const program = (path, args, cwd) => execFileSync(process.execPath, [at(path), ...args], { cwd, stdio: 'inherit' })

install(place)
const { exports } = JSON.parse(readFileSync(`${place}/node_modules/sendoff/package.json`, 'utf8'))
const entries = Object.keys(exports).filter((entry) => !/\.(wasm|json)$/.test(entry))
// A value of each, so that the import is not of `any`.
const uses = entries.map((entry, at) => `import * as entry${at} from 'sendoff${entry.slice(1)}'\nconst names${at}: readonly (keyof typeof entry${at})[] = []\nconst isNone${at}: 0 extends 1 & typeof entry${at} ? true : false = false`)
for (const file of ['module.mts', 'commonjs.cts']) writeFileSync(`${place}/${file}`, `${uses.join('\n')}\n`)

for (const typescript of ['typescript', 'typescript-5']) {
  for (const [module, moduleResolution] of [['node16', 'node16'], ['nodenext', 'nodenext'], ['esnext', 'bundler']]) {
    const compilerOptions = { module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom'], types: [], strict: true, noEmit: true }
    const include = module === 'esnext' ? ['module.mts'] : ['*.mts', '*.cts']
    writeFileSync(`${place}/tsconfig.json`, JSON.stringify({ compilerOptions, include }))
    program(`node_modules/${typescript}/bin/tsc`, ['-p', place])
    console.log(`${entries.length} entries, ${typescript}, ${moduleResolution}: their types are found`)
  }
}
