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
const entries = ['index', 'http', 'redis']
await Promise.all(entries.flatMap((entry) => [bundle(entry, 'esm', 'mjs'), bundle(entry, 'cjs', 'cjs')]))
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

function bundle(entry, format, extension) {
  return build({
    entryPoints: [at(`src/${entry}.ts`)],
    outfile: `${dist}/${entry}.${extension}`,
    bundle: true,
    format,
    // Only for the list of names that lets Node import from CJS; nothing of Node is used but through `process`.
    platform: format === 'cjs' ? 'node' : 'neutral',
    target: 'es2022',
    define: { VERSION: JSON.stringify(version), ...(format === 'cjs' && { 'import.meta.url': '__filename' }) },
    alias: { 'sendoff-wasm': `${made}/sendoff_wasm.js`, 'sendoff-wasm/base64': `${dist}/sendoff.wasm` },
    loader: { '.wasm': 'base64' },
    plugins: [main(`./index.${extension}`)],
    legalComments: 'none',
    logLevel: 'warning',
  })
}

/** The main entry, to the others: imported, so that there is one core. */
function main(path) {
  const imported = { path, external: true, sideEffects: false }
  return { name: 'main', setup: ({ onResolve }) => onResolve({ filter: /\/index\.js$/ }, () => imported) }
}

/** One file of types for each entry: those of the modules that it names, one after another. */
function declarations() {
  const folder = `${made}/types`
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder]
  node('typescript/bin/tsc', ['-p', at('.'), ...emit])
  const read = (name) => readFileSync(`${folder}/${name}.d.ts`, 'utf8')
  for (const entry of entries) {
    const text = [...read(entry).matchAll(/from '\.\/(.+)\.js'/g)].map(([, name]) => read(name)).join('\n')
    const imports = /^import (?:type )?{([^;]*?)} from '(.*)';\n/gm
    const ofMain = [...text.matchAll(imports)].filter(([, , from]) => from === '../index.js')
    const names = new Set(ofMain.flatMap(([, names]) => names.replaceAll('type ', '').trim().split(/,\s*/)))
    const types = text.replaceAll(imports, '').replaceAll('export {};\n', '')
    for (const [file, from] of [['d.ts', './index.js'], ['d.cts', './index.cjs']]) {
      const head = names.size > 0 ? `import type { ${[...names].sort().join(', ')} } from '${from}';\n` : ''
      writeFileSync(`${dist}/${entry}.${file}`, `${head}${types}\nexport {};\n`)
    }
  }
}

/** The addon for the platform of this machine, where cargo built one. */
function addon() {
  const names = { darwin: 'libsendoff_node.dylib', win32: 'sendoff_node.dll' }
  const library = `${target}/native/${names[process.platform] ?? 'libsendoff_node.so'}`
  if (existsSync(library)) copyFileSync(library, `${dist}/sendoff.${process.platform}-${process.arch}.node`)
}
