// Makes dist/ of these sources and of what cargo built: `cargo xtask build` runs it.

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { addon } from './platform.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const run = (program, args) => execFileSync(program, args, { stdio: 'inherit' })
const node = (program, args) => run(process.execPath, [at(`node_modules/${program}`), ...args])

const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
const target = at('../../target')
const made = `${target}/sendoff-js`
const dist = `${made}/dist`
rmSync(made, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })

module('sendoff_wasm', 'sendoff')
module('sendoff_signature_wasm', 'signature')
module('examples/sign', 'sign')
/** The entries with types of their own, and what they share: their one core, and the main entry. */
const entries = ['index', 'text', 'http', 'redis', 'signature', 'deployments']
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
declarations()
native()
show()

/** An entry with a module of its own: it has a copy of what it needs beside that, and not the core. */
function own(entry) {
  return entry === 'signature' ? { wasm: 'signature', shared: [] } : {}
}

/** A module that cargo built, as small as it gets. */
function module(built, name) {
  // What rustc emits, by name: with all features wasm-opt writes types that engines refuse.
  const features = ['bulk-memory', 'bulk-memory-opt', 'call-indirect-overlong', 'multivalue', 'mutable-globals']
  features.push('nontrapping-float-to-int', 'reference-types', 'sign-ext')
  const strip = ['--strip-debug', '--strip-producers', '--strip-target-features']
  const enabled = ['--mvp-features', ...features.map((name) => `--enable-${name}`)]
  const files = [`${target}/wasm32-unknown-unknown/wasm/${built}.wasm`, '-o', `${dist}/${name}.wasm`]
  node('binaryen/bin/wasm-opt', ['-Oz', ...enabled, ...strip, ...files])
  // Throws where this engine refuses it.
  new WebAssembly.Module(readFileSync(`${dist}/${name}.wasm`))
}

/**
 * One file in one format. `way` is how it comes to its module: src/inlined.ts, src/imported.ts or src/fetched.ts. `shared`
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
    // Only for the list of names that lets Node import from CJS; nothing of Node is used but through `process`.
    platform: format === 'cjs' ? 'node' : 'neutral',
    target: 'es2022',
    define: { VERSION: JSON.stringify(version), ...(here && { 'import.meta.url': here }) },
    ...(here === 'HERE' && { banner: { js: `const HERE = require('node:url').pathToFileURL(__filename)` } }),
    alias: { 'sendoff-wasm/hex': `${dist}/${wasm}.wasm` },
    inject: [at('src/text-coding.ts')],
    plugins: [
      inHex(/\.wasm$/),
      ...imported('core', /\/(argument|backend|error)\.js$/),
      ...imported('index', /\/index\.js$/),
      ...(shared.length === 0 && entry !== 'index' ? [resolved(/\/index\.js$/, { path: at('src/error.ts') })] : []),
      resolved(/\/inlined\.js$/, { path: at(`src/${way}.ts`) }),
      resolved(/^sendoff-wasm\/module$/, { path: `../${wasm}.wasm`, external: true }),
    ],
    legalComments: 'none',
    logLevel: 'warning',
  })
}

/** A file as text of its bytes. */
function inHex(filter) {
  const contents = ({ path }) => ({ contents: readFileSync(path, 'hex'), loader: 'text' })
  return { name: 'in hex', setup: ({ onLoad }) => onLoad({ filter }, contents) }
}

function resolved(filter, to) {
  return { name: String(filter), setup: ({ onResolve }) => onResolve({ filter }, () => to) }
}

/** One file of types for each entry: those of the modules that it names, one after another. */
function declarations() {
  const folder = `${made}/types`
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder]
  node('typescript/bin/tsc', ['-p', at('.'), ...emit])
  const read = (name) => readFileSync(`${folder}/${name}.d.ts`, 'utf8')
  for (const entry of entries) {
    const named = [...read(entry).matchAll(/from '\.\/(.+)\.js'/g)].map(([, name]) => name)
    const text = named.filter((name) => name !== 'index').map(read).join('\n')
    // What an entry passes on of the main one stays an export from there.
    const ofIndex = [...read(entry).matchAll(/^export {.*} from '\.\/index\.js';\n/gm)].join('')
    const imports = /^import (?:type )?{([^;]*?)} from '(.*)';\n/gm
    const main = entry === 'index' ? [] : ['../index.js', './types.js']
    const ofMain = [...text.matchAll(imports)].filter(([, , from]) => main.includes(from))
    const names = new Set(ofMain.flatMap(([, names]) => names.replaceAll('type ', '').trim().split(/,\s*/)))
    // What a module has from another one stands in the same file now, or in the main one.
    const own = /import\("\.\/[\w-]+\.js"\)\.(\w+)/g
    const passedOn = /^(?:import type \* as types from .*|export type (\w+) = types\.\1|export {});\n/gm
    const types = text.replaceAll(imports, '').replaceAll(passedOn, '').replaceAll(own, (_, name) => {
      if (entry !== 'index') names.add(name)
      return name
    })
    for (const [file, from] of [['d.ts', './index.js'], ['d.cts', './index.cjs']]) {
      const head = names.size > 0 ? `import type { ${[...names].sort().join(', ')} } from '${from}';\n` : ''
      const again = ofIndex.replaceAll('./index.js', from)
      writeFileSync(`${dist}/${entry}.${file}`, `${head}${again}${types}\nexport {};\n`)
    }
  }
  for (const kind of ['', 'c']) {
    const from = `'./index.${kind}js'`
    writeFileSync(`${dist}/url.d.${kind}ts`, `export * from ${from};\n`)
    // A selection of the main entry, with the same types.
    writeFileSync(`${dist}/sign.d.${kind}ts`, read('sign').replaceAll(/from '.*'/g, `from ${from}`))
  }
}

/** The addon for the platform of this machine, where cargo built one. */
function native() {
  const names = { darwin: 'libsendoff_node.dylib', win32: 'sendoff_node.dll' }
  const library = `${target}/native/${names[process.platform] ?? 'libsendoff_node.so'}`
  if (existsSync(library)) copyFileSync(library, `${dist}/${addon}`)
}

/** Puts it where the package is used from, file by file: at no time is one missing there. */
function show() {
  const shown = at('dist')
  mkdirSync(`${shown}/workerd`, { recursive: true })
  const files = (folder) => readdirSync(folder, { recursive: true }).filter((file) => extname(file))
  const [fresh, stale] = [files(dist), files(shown)]
  for (const file of fresh) renameSync(`${dist}/${file}`, `${shown}/${file}`)
  for (const file of stale) if (!fresh.includes(file)) rmSync(`${shown}/${file}`)
}
