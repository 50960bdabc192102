// Builds dist/ from these sources and from cargo's output. `cargo xtask build` runs it. With `--sources` it takes modules and
// declarations from the last build: the code alone takes a second.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { packed } from './packed.mjs'
import { addon, target as platform } from './platform.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const run = (program, args) => execFileSync(program, args, { stdio: 'inherit' })
const node = (program, args) => run(process.execPath, [at(`node_modules/${program}`), ...args])

const target = at('../../target')
const made = `${target}/sendoff-js`
const dist = `${made}/dist`
const onlySources = process.argv.includes('--sources')
rmSync(made, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })

node('binaryen/bin/wasm-as', [at('src/unpack.wat'), '-o', `${made}/unpack.wasm`])
if (onlySources) cpSync(at('dist'), dist, { recursive: true })
else {
  module('everything', 'sendoff')
  module('sign', 'sign')
  module('signature', 'signature')
  module('sandbox', 'sandbox')
  native()
}
/** The addons with their SHA-256, which src/native.ts compares before it loads one. */
const addons = existsSync(`${dist}/${addon}`) ? { [platform]: sha256(`${dist}/${addon}`) } : {}
/** The entries with their own types, and the files that they share: the core, and the main entry. */
const entries = ['index', 'text', 'http', 'redis', 'signature', 'deployments', 'flow', 'sandbox', 'testing']
const files = ['core', ...entries]
const esm = { format: 'esm', extension: 'mjs' }
const cjs = { format: 'cjs', extension: 'cjs', here: '__filename' }
await Promise.all([
  ...files.flatMap((file) => [bundle(file, file, { ...esm, ...own(file) }), bundle(file, file, { ...cjs, ...own(file) })]),
  ...files.map((file) => bundle(file, `workerd/${file}`, { ...esm, ...own(file), way: 'imported' })),
  bundle('index', 'url', { ...esm, way: 'fetched', shared: [] }),
  bundle('index', 'url', { ...cjs, way: 'fetched', here: 'HERE', shared: [] }),
  ...[esm, cjs].map((kind) => bundle('sign', 'sign', { ...kind, wasm: 'sign', shared: [] })),
  bundle('sign', 'workerd/sign', { ...esm, way: 'imported', wasm: 'sign', shared: [] }),
])
if (!onlySources) await declarations()
show()

/**
 * An entry with its own module does not share the core. It contains a copy of the other code that it needs. The loop calls
 * functions of `sendoff/sign`, whose module a page that signs has.
 */
function own(entry) {
  const ownModule = (wasm) => ({ wasm, shared: [] })
  const kinds = { signature: ownModule('signature'), flow: { shared: ['sign'] }, sandbox: ownModule('sandbox'), testing: { shared: ['sandbox'] } }
  return kinds[entry] ?? {}
}

/** Optimizes a module of cargo for size. */
function module(built, name) {
  // The features that rustc emits. With all features, wasm-opt writes types that engines refuse.
  const features = ['bulk-memory', 'bulk-memory-opt', 'call-indirect-overlong', 'multivalue', 'mutable-globals']
  features.push('nontrapping-float-to-int', 'reference-types', 'sign-ext')
  const strip = ['--strip-debug', '--strip-producers', '--strip-target-features']
  // Offsets may be added to addresses, because none is below 1024: the stack is there, and it ends far above. A module without
  // nested expressions is optimized further; then the second `-Oz` nests them again. Both are 1.3 % of a module.
  const passes = ['--low-memory-unused', '--flatten', '--rereloop', '-Oz', '-Oz']
  const enabled = ['--mvp-features', ...features.map((name) => `--enable-${name}`)]
  const files = [`${target}/wasm32-unknown-unknown/wasm/${built}.wasm`, '-o', `${dist}/${name}.wasm`]
  node('binaryen/bin/wasm-opt', [...passes, ...enabled, ...strip, ...files])
  // Throws if this engine refuses the module.
  new WebAssembly.Module(readFileSync(`${dist}/${name}.wasm`))
}

/**
 * One file in one format. `way` is the source of its module: src/inlined.ts, src/imported.ts or src/fetched.ts. `shared`
 * are the files that it imports, so that there is one core; `wasm` is the module that it calls.
 */
function bundle(entry, file, { format, extension, here, way = 'inlined', wasm = 'sendoff', shared = ['core', 'index'] }) {
  const imported = (name, modules) =>
    shared.includes(name) && name !== entry
      ? [resolved(modules, { path: `./${name}.${extension}`, external: true, sideEffects: false })]
      : []
  return build({
    entryPoints: [at(`src/${entry}.ts`)],
    outfile: `${dist}/${file}.${extension}`,
    bundle: true,
    format,
    // For the list of names with which Node imports from CJS. All parts of Node are used through `process`.
    platform: format === 'cjs' ? 'node' : 'neutral',
    target: 'es2022',
    define: { ADDONS: JSON.stringify(addons), ...(here && { 'import.meta.url': here }) },
    ...(here === 'HERE' && { banner: { js: `const HERE = require('node:url').pathToFileURL(__filename)` } }),
    alias: { 'sendoff-wasm/text': `${dist}/${wasm}.wasm`, 'sendoff-wasm/unpack': `${made}/unpack.wasm` },
    inject: [at('src/text-coding.ts')],
    plugins: [
      asText(/\.wasm$/),
      ...imported('core', /\/(argument|backend|error|own)\.js$/),
      ...imported('index', /\/index\.js$/),
      ...imported('sign', /\/sign\.js$/),
      ...imported('sandbox', /\/sandbox\.js$/),
      resolved(/\/inlined\.js$/, { path: at(`src/${way}.ts`) }),
      resolved(/^sendoff-wasm\/module$/, { path: `../${wasm}.wasm`, external: true }),
    ],
    legalComments: 'none',
    logLevel: 'warning',
  })
}

/** A module as text. To pack the one that unpacks would be in vain. */
function asText(filter) {
  const textOf = (path) => (path.endsWith('unpack.wasm') ? readFileSync(path, 'latin1') : packed(readFileSync(path)))
  const contents = ({ path }) => ({ contents: textOf(path), loader: 'text' })
  return { name: 'as text', setup: ({ onLoad }) => onLoad({ filter }, contents) }
}

function resolved(filter, to) {
  return { name: String(filter), setup: ({ onResolve }) => onResolve({ filter }, () => to) }
}

/**
 * Writes one file of types for each entry, for ESM and for CommonJS. TypeScript emits the declarations of each source, and a
 * bundler of declarations combines them. Declarations of the main entry are imported from there, so that every type is declared
 * once.
 */
async function declarations() {
  const folder = `${made}/types`
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder]
  node('typescript/bin/tsc', ['-p', at('.'), ...emit])
  const bundled = (entry, external) =>
    rollup({ input: `${folder}/${entry}.d.ts`, external, plugins: [dts({ tsconfig: false })] })
  const index = await bundled('index', [])
  for (const entry of entries) {
    const bundle = entry === 'index' ? index : await bundled(entry, index.watchFiles)
    for (const kind of ['', 'c'])
      await bundle.write({ file: `${dist}/${entry}.d.${kind}ts`, paths: () => `./index.${kind}js` })
  }
  // Both only re-export declarations of the main entry. The bundler would turn the types of `sendoff/sign` into values.
  for (const kind of ['', 'c']) {
    const ofIndex = readFileSync(`${folder}/sign.d.ts`, 'utf8').replaceAll('./index.js', `./index.${kind}js`)
    writeFileSync(`${dist}/sign.d.${kind}ts`, ofIndex)
    writeFileSync(`${dist}/url.d.${kind}ts`, `export * from './index.${kind}js';\n`)
  }
}

/** The addon for the platform of this machine, if cargo built one. */
function native() {
  const names = { darwin: 'libsendoff_node.dylib', win32: 'sendoff_node.dll' }
  const library = `${target}/native/${names[process.platform] ?? 'libsendoff_node.so'}`
  if (existsSync(library)) copyFileSync(library, `${dist}/${addon}`)
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** Copies the files to dist/, one by one, so that no file is ever missing there. */
function show() {
  const shown = at('dist')
  mkdirSync(`${shown}/workerd`, { recursive: true })
  const files = (folder) => readdirSync(folder, { recursive: true }).filter((file) => extname(file))
  const [fresh, stale] = [files(dist), files(shown)]
  for (const file of fresh) renameSync(`${dist}/${file}`, `${shown}/${file}`)
  for (const file of stale) if (!fresh.includes(file)) rmSync(`${shown}/${file}`)
}
