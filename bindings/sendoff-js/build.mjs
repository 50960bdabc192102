// Makes dist/ of these sources and of what cargo built: `cargo xtask build` runs it.

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const run = (program, args) => execFileSync(program, args, { stdio: 'inherit' })
const node = (program, args) => run(process.execPath, [at(`node_modules/${program}`), ...args])

const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
const target = at('../../target')
const made = `${target}/sendoff-js`
const dist = at('dist')
for (const folder of [made, dist]) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
}

wasm()
await Promise.all([bundle('esm', 'index.mjs', 'import.meta.url'), bundle('cjs', 'index.cjs', '__filename')])
declarations()
addon()

function wasm() {
  const wasmBindgen = process.env.WASM_BINDGEN ?? `${target}/tools/bin/wasm-bindgen`
  const module = `${target}/wasm32-unknown-unknown/wasm/sendoff_wasm.wasm`
  // Without the module's default path: bundlers follow it, and ship a second wasm that nobody loads.
  const options = ['--target', 'web', '--omit-default-module-path', '--no-typescript']
  // For wasm.ts, which takes a new instance after a trap.
  options.push('--experimental-reset-state-function')
  run(wasmBindgen, [...options, '--out-dir', made, module])

  // What rustc emits, by name: with all features wasm-opt writes types that engines refuse.
  const features = ['bulk-memory', 'bulk-memory-opt', 'call-indirect-overlong', 'multivalue', 'mutable-globals']
  features.push('nontrapping-float-to-int', 'reference-types', 'sign-ext')
  const strip = ['--strip-debug', '--strip-producers', '--strip-target-features']
  const enabled = ['--mvp-features', ...features.map((name) => `--enable-${name}`)]
  const files = [`${made}/sendoff_wasm_bg.wasm`, '-o', `${dist}/sendoff.wasm`]
  node('binaryen/bin/wasm-opt', ['-Oz', ...enabled, ...strip, ...files])
  // Throws where this engine refuses it.
  new WebAssembly.Module(readFileSync(`${dist}/sendoff.wasm`))
}

function bundle(format, file, self) {
  return build({
    entryPoints: [at('src/index.ts')],
    outfile: `${dist}/${file}`,
    bundle: true,
    format,
    // Only for the list of names that lets Node import from CJS; nothing of Node is used but through `process`.
    platform: format === 'cjs' ? 'node' : 'neutral',
    target: 'es2022',
    define: { VERSION: JSON.stringify(version), 'import.meta.url': self },
    alias: { 'sendoff-wasm': `${made}/sendoff_wasm.js`, 'sendoff-wasm/base64': `${dist}/sendoff.wasm` },
    loader: { '.wasm': 'base64' },
    legalComments: 'none',
    logLevel: 'warning',
  })
}

/** One file of types: those of the modules that the entry names, one after another. */
function declarations() {
  const folder = `${made}/types`
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder]
  node('typescript/bin/tsc', ['-p', at('.'), ...emit])
  const read = (name) => readFileSync(`${folder}/${name}.d.ts`, 'utf8')
  const modules = [...read('index').matchAll(/from '\.\/(.+)\.js'/g)].map(([, name]) => read(name))
  const imports = /^import [^;]*? from '.*';\n/gm
  const types = `${modules.join('\n').replaceAll(imports, '').replaceAll('export {};\n', '')}\nexport {};\n`
  for (const name of ['index.d.ts', 'index.d.cts']) writeFileSync(`${dist}/${name}`, types)
}

/** The addon for the platform of this machine, where cargo built one. */
function addon() {
  const names = { darwin: 'libsendoff_node.dylib', win32: 'sendoff_node.dll' }
  const library = `${target}/native/${names[process.platform] ?? 'libsendoff_node.so'}`
  if (existsSync(library)) copyFileSync(library, `${dist}/sendoff.${process.platform}-${process.arch}.node`)
}
