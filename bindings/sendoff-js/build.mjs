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
import { FAST, FEATURES, optimize, SMALL, TRANSLATION, translated } from './modules.mjs'
import { packed } from './packed.mjs'
import { addon, target as platform } from './platform.mjs'
import { unpacked } from './unpacked.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const run = (program, args) => execFileSync(program, args, { stdio: 'inherit' })
const node = (program, args) => run(process.execPath, [at(`node_modules/${program}`), ...args])

const target = at('../../target')
const made = `${target}/sendoff-js`
const dist = `${made}/dist`
const onlySources = process.argv.includes('--sources')

/** What binaryen made, by the hash of what it was made of: a change of the code in TypeScript does not make it again. */
const kept = `${made}/kept`
const used = []

rmSync(dist, { recursive: true, force: true })
mkdirSync(`${dist}/js`, { recursive: true })
mkdirSync(kept, { recursive: true })

node('binaryen/bin/wasm-as', [...FEATURES, at('src/unpack.wat'), '-o', `${made}/unpack.wasm`])
if (onlySources) cpSync(at('dist'), dist, { recursive: true })
else {
  for (const [built, name] of [['everything', 'sendoff'], ['sign', 'sign'], ['signature', 'signature']]) {
    module(`pages/${built}`, name, SMALL)
    javascript(`pages/${built}`, name)
  }
  module('pages/sandbox', 'sandbox', SMALL)
  module('pages/command', 'command', FAST)
  module('servers/everything', 'server', FAST)
  native()
  for (const file of readdirSync(kept)) if (!used.includes(file)) rmSync(`${kept}/${file}`)
}
/** The text of each module that is inlined, by its path. The one that unpacks is a character for each byte. */
const texts = new Map([[`${made}/unpack.wasm`, readFileSync(`${made}/unpack.wasm`, 'latin1')]])
for (const name of ['sendoff', 'sign', 'signature', 'sandbox', 'server']) await pack(name)
/** The addon of this platform with its SHA-256, which src/native.ts compares before it loads it. */
const addons = existsSync(`${dist}/${addon}`) ? { [platform]: sha256(`${dist}/${addon}`) } : {}
/** The entries with their own types. */
const entries = ['index', 'text', 'http', 'redis', 'signature', 'deployments', 'flow', 'sandbox', 'testing']
const esm = { format: 'esm', extension: 'mjs' }
const cjs = { format: 'cjs', extension: 'cjs', here: '__filename' }
// A file for each entry. They import the core by a name of package.json (`imports`), whose conditions choose one of the cores below.
const both = [esm, cjs].flatMap((kind) => [
  bundle('index', 'index', { ...kind, core: '#core', shared: [] }),
  ...['text', 'http', 'redis', 'deployments'].map((entry) => bundle(entry, entry, { ...kind, core: '#core' })),
  bundle('sign', 'sign', { ...kind, core: '#sign', shared: [] }),
  // The loop calls functions of `sendoff/sign`, whose module a page that signs has.
  bundle('flow', 'flow', { ...kind, core: '#sign', shared: ['sign'] }),
  // Servers.
  bundle('core', 'core', { ...kind, platform: 'server', wasm: 'server' }),
  // Pages.
  bundle('core', 'page/core', { ...kind, platform: 'page', wasm: 'sendoff' }),
  bundle('core', 'page/sign', { ...kind, platform: 'page', wasm: 'sign' }),
  // Engines without WebAssembly.
  bundle('core', 'js/core', { ...kind, platform: 'javascript', wasm: 'sendoff' }),
  bundle('core', 'js/core-sign', { ...kind, platform: 'javascript', wasm: 'sign' }),
  bundle('index', 'js', { ...kind, core: `./js/core.${kind.extension}`, shared: [] }),
  bundle('sign', 'js/sign', { ...kind, core: `./core-sign.${kind.extension}`, shared: [] }),
  bundle('flow', 'js/flow', { ...kind, core: `./core-sign.${kind.extension}`, shared: ['sign'] }),
  bundle('signature', 'js/signature', { ...kind, platform: 'javascript', wasm: 'signature', shared: [] }),
  // The entries with a module of their own everywhere.
  bundle('signature', 'signature', { ...kind, platform: 'page', wasm: 'signature', shared: [] }),
  bundle('sandbox-core', 'sandbox-core', { ...kind, platform: 'page', wasm: 'sandbox', shared: [] }),
  bundle('sandbox', 'sandbox', { ...kind, core: `./sandbox-core.${kind.extension}`, shared: ['signature'] }),
  bundle('testing', 'testing', { ...kind, shared: ['sandbox'] }),
])
await Promise.all([
  ...both,
  bundle('core', 'workerd/core', { ...esm, platform: 'page', way: 'imported', wasm: 'server' }),
  bundle('signature', 'workerd/signature', { ...esm, platform: 'page', way: 'imported', wasm: 'signature', shared: [] }),
  bundle('sandbox', 'workerd/sandbox', { ...esm, platform: 'page', way: 'imported', wasm: 'sandbox', shared: ['signature'] }),
  bundle('testing', 'workerd/testing', { ...esm, shared: ['sandbox'] }),
])
if (!onlySources) await declarations()
show()

/** Optimizes a module of cargo. */
function module(built, name, passes) {
  const stripped = [...passes, '--strip-debug', '--strip-producers', '--strip-target-features']
  const file = make(built, stripped, (from, to) => optimize(from, to, stripped))
  // Throws if this engine refuses the module.
  new WebAssembly.Module(readFileSync(file))
  copyFileSync(file, `${dist}/${name}.wasm`)
}

/** Translates a module of cargo to JavaScript, as a file that creates instances. It is CommonJS, so that both formats share it. */
function javascript(built, name) {
  const file = make(built, TRANSLATION, (from, to) => writeFileSync(to, translated(from, `${made}/${name}`)))
  copyFileSync(file, `${dist}/js/module-${name}.cjs`)
}

/** What a step makes of a module of cargo, which is made again only if the module or the step is another one. */
function make(built, step, making) {
  const from = `${target}/modules/${built}.wasm`
  const inputs = [sha256(from), sha256(at('package-lock.json')), ...FEATURES, ...step]
  const name = createHash('sha256').update(inputs.join('\n')).digest('hex')
  used.push(name)
  if (!existsSync(`${kept}/${name}`)) {
    making(from, `${made}/making`)
    renameSync(`${made}/making`, `${kept}/${name}`)
  }
  return `${kept}/${name}`
}

/**
 * One file in one format. `core` is the place from which it imports the core; a file without one contains it, for a `platform`
 * (src/server.ts, src/page.ts, src/javascript.ts), with the module `wasm` from a source that is the `way` (src/inlined.ts,
 * src/imported.ts). `shared` are the other files that it imports.
 */
function bundle(entry, path, options) {
  const { format, extension, here, core, platform = 'server', way = 'inlined', wasm = 'sendoff' } = options
  const { shared = ['index'] } = options
  const external = (place) => ({ path: place, external: true, sideEffects: false })
  return build({
    entryPoints: [at(`src/${entry}.ts`)],
    outfile: `${dist}/${path}.${extension}`,
    bundle: true,
    format,
    // For the list of names with which Node imports from CJS. All parts of Node are used through `process`.
    platform: format === 'cjs' ? 'node' : 'neutral',
    target: 'es2022',
    define: {
      ADDONS: JSON.stringify(addons),
      ...(here && { 'import.meta.url': here }),
    },
    alias: { 'sendoff-wasm/text': `${dist}/${wasm}.wasm`, 'sendoff-wasm/unpack': `${made}/unpack.wasm`, 'sendoff-demo': at('../../tests/demo') },
    inject: [at(platform === 'javascript' ? 'src/text-coding-alone.ts' : 'src/text-coding.ts')],
    plugins: [
      asText(/\.wasm$/),
      ...(core ? [resolved(/\/(argument|backend|error|own|sandbox-core)\.js$/, external(core))] : []),
      ...shared.map((name) => resolved(new RegExp(`/${name}\\.js$`), external(`./${name}.${extension}`))),
      resolved(/\/(server|page)\.js$/, { path: at(`src/${platform}.ts`) }),
      resolved(/\/inlined\.js$/, { path: at(`src/${way}.ts`) }),
      resolved(/^sendoff-wasm\/module$/, external(`../${wasm}.wasm`)),
      resolved(/^sendoff-wasm\/javascript$/, external(`${path.includes('/') ? '.' : './js'}/module-${wasm}.cjs`)),
    ],
    legalComments: 'none',
    logLevel: 'warning',
  })
}

/** Makes the text of a module. Throws if a page would make another module of it. */
async function pack(name) {
  const module = readFileSync(`${dist}/${name}.wasm`)
  const text = packed(module)
  const found = await unpacked(text, readFileSync(`${made}/unpack.wasm`))
  if (!module.equals(found)) throw new Error(`${name}.wasm: its text does not become the same ${module.length} bytes`)
  texts.set(`${dist}/${name}.wasm`, text)
}

function asText(filter) {
  const contents = ({ path }) => ({ contents: texts.get(path), loader: 'text' })
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
    const bundle = entry === 'index' ? index : await bundled(entry, [...index.watchFiles, /^node:/])
    for (const kind of ['', 'c'])
      await bundle.write({ file: `${dist}/${entry}.d.${kind}ts`, paths: () => `./index.${kind}js` })
  }
  // It only re-exports declarations of the main entry, and the bundler would turn its types into values.
  for (const kind of ['', 'c']) {
    const ofIndex = readFileSync(`${folder}/sign.d.ts`, 'utf8').replaceAll('./index.js', `./index.${kind}js`)
    writeFileSync(`${dist}/sign.d.${kind}ts`, ofIndex)
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
  for (const folder of ['page', 'js', 'workerd']) mkdirSync(`${shown}/${folder}`, { recursive: true })
  const files = (folder) => readdirSync(folder, { recursive: true }).filter((file) => extname(file))
  const [fresh, stale] = [files(dist), files(shown)]
  for (const file of fresh) renameSync(`${dist}/${file}`, `${shown}/${file}`)
  for (const file of stale) if (!fresh.includes(file)) rmSync(`${shown}/${file}`)
}
