// The ways to load the module: from text, from a file, and precompiled; and the errors if one is not possible.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transform } from 'esbuild'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const sources = readdirSync(dist, { recursive: true }).filter((file) => /\.[cm]js$/.test(file))

/** The output of a new process that runs this code as a module, with the WebAssembly. */
function prints(code, cwd = dist, ...flags) {
  const options = { cwd, encoding: 'utf8', stdio: 'pipe', env: { ...process.env, SENDOFF_BACKEND: 'wasm' } }
  return execFileSync(process.execPath, [...flags, '--input-type=module', '-e', code], options).trim()
}

const CALL = `sendoff.readText('quantity', '0x10').decimal`

test('the module in the text has the bytes of the file: that of servers, and those of pages', () => {
  for (const [core, module] of [['core', 'server'], ['page/core', 'sendoff'], ['page/sign', 'sign']]) {
    const code = `
      const { Module } = WebAssembly
      WebAssembly.Module = class extends Module {
        constructor(bytes) { super(bytes); compiled = Buffer.from(bytes).toString('base64') }
      }
      let compiled
      const { invoke } = await import('./${core}.mjs')
      invoke('readText', 'quantity', '0x10')
      console.log(compiled)`
    assert.equal(prints(code), readFileSync(join(dist, `${module}.wasm`)).toString('base64'))
  }
})

test('the module answers where a global is missing, or is that of a bundler', () => {
  for (const change of [
    // Jest with jsdom.
    'delete globalThis.TextDecoder; delete globalThis.TextEncoder',
    // Browsers, and bundlers.
    'globalThis.process = undefined',
    'globalThis.process = { env: process.env }',
  ]) {
    const code = `
      ${change}
      const sendoff = await import('./index.mjs')
      console.log(sendoff.backend(), ${CALL})`
    assert.equal(prints(code), 'wasm 16', change)
  }
})

test('`init()` may be called at any time, and after it nothing is compiled again', () => {
  const code = (entry, call) => `
    import * as sendoff from './${entry}.mjs'
    await Promise.all([sendoff.init(), sendoff.init()])
    const refuse = () => { throw new Error('compiled again') }
    for (const name of ['compile', 'instantiate']) WebAssembly[name] = refuse
    for (const name of ['Module', 'Instance']) WebAssembly[name] = new Proxy(WebAssembly[name], { construct: refuse })
    console.log(${call})
    await sendoff.init()
    console.log(${call})`
  assert.equal(prints(code('index', CALL)), '16\n16')
  assert.equal(prints(code('signature', `sendoff.safeCheckSignature('0x', '0x', '0x').ok`)), 'false\nfalse')
})

test('if a page cannot compile synchronously, the error names `init()`, which helps each time', () => {
  const code = `
    // As in an old Chromium, which compiles and instantiates at most 4 kB on a page's main thread.
    const small = new Set()
    const checked = (construct) => ({
      construct(target, [source]) {
        if (source.byteLength > 4096 || (target.name === 'Instance' && !small.has(source)))
          throw new RangeError('disallowed on the main thread')
        const made = new target(source)
        small.add(made)
        return made
      },
    })
    for (const name of ['Module', 'Instance']) WebAssembly[name] = new Proxy(WebAssembly[name], checked(name))
    const sendoff = await import('./index.mjs')
    const call = () => { try { console.log(${CALL}) } catch (error) { console.log(error.message) } }
    call()
    await sendoff.init()
    call()
    // After a call of this size the instance is replaced.
    sendoff.safeReadText('quantity', '0'.repeat(10_000_000))
    call()
    await sendoff.init()
    call()`
  const [first, answer, later, again] = prints(code).split('\n')
  for (const message of [first, later])
    assert.match(message, /not compiled here: `await init\(\)` before the first call .*\(RangeError: disallowed on/)
  assert.deepEqual([answer, again], ['16', '16'])
})

test('if a policy forbids compilation, the error names the directive', () => {
  const code = (entry, use) => `
    const refuse = () => { throw new WebAssembly.CompileError('code generation disallowed') }
    WebAssembly.Module = class { constructor() { refuse() } }
    // Except for the smaller WebAssembly in Node's own \`fetch\`.
    const { compile } = WebAssembly
    WebAssembly.compile = async (bytes) => (bytes.length > 1e5 ? refuse() : compile(bytes))
    const sendoff = await import('./${entry}.mjs')
    try { ${use} } catch ({ message, cause }) { console.log(message, cause instanceof WebAssembly.CompileError) }`
  for (const [entry, use] of [['index', CALL], ['index', 'await sendoff.init()']])
    assert.match(prints(code(entry, use)), /not compiled here: a Content-Security-Policy .* 'wasm-unsafe-eval' .* `sendoff\/js`\), .* `workerd` \(CompileError: code generation disallowed\) true$/)
})

test('each condition has its own core: Node, Workers, the pocket service, and engines without WebAssembly', () => {
  const all = {
    default: { '#core': 'core', '#sign': 'core' },
    workerd: {
      '#core': 'workerd/core',
      '#sign': 'workerd/core',
      'sendoff/signature': 'workerd/signature',
      'sendoff/sandbox': 'workerd/sandbox',
      'sendoff/testing': 'workerd/testing',
    },
    'react-native': { '#core': 'js/core', sendoff: 'js', 'sendoff/sign': 'js/sign', 'sendoff/signature': 'js/signature' },
    'sendoff-sandbox': { '#core': 'sandbox-core', '#sign': 'sandbox-core' },
  }
  for (const [condition, files] of Object.entries(all)) {
    const names = JSON.stringify(Object.keys(files))
    const code = `console.log(JSON.stringify(${names}.map((name) => import.meta.resolve(name))))`
    const expected = Object.values(files).map((file) => String(pathToFileURL(join(dist, `${file}.mjs`))))
    assert.deepEqual(JSON.parse(prints(code, dist, `--conditions=${condition}`)), expected, condition)
  }
})

test('with the condition `sendoff-sandbox`, all entries and the pocket service share one module', () => {
  const code = `
    const { Module } = WebAssembly
    const sizes = []
    WebAssembly.Module = class extends Module {
      constructor(bytes) { super(bytes); sizes.push(bytes.length) }
    }
    const [sendoff, sign, { Sandbox }] = await Promise.all(['', '/sign', '/sandbox'].map((entry) => import('sendoff' + entry)))
    console.log(${CALL}, sign.safeReadText('quantity', '0x').ok, new Sandbox().answer({ method: 'GET', target: '/' }).status)
    // The first is what unpacks the second.
    console.log(JSON.stringify(sizes.slice(1)))`
  const { length } = readFileSync(join(dist, 'sandbox.wasm'))
  assert.equal(prints(code, dist, '--conditions=sendoff-sandbox'), `16 false 404\n[${length}]`)
})

test('in a Worker the module answers at once, and after `init()`', () => {
  // As a bundler for Workers does it: an import of WebAssembly is a compiled module.
  const load = `export async function load(url, context, next) {
    if (!url.endsWith('.wasm')) return next(url, context)
    const source = 'import { readFileSync } from "node:fs"; export default new WebAssembly.Module(readFileSync(new URL("' + url + '")))'
    return { format: 'module', shortCircuit: true, source }
  }`
  for (const before of ['', 'await sendoff.init()']) {
    const code = `
      import { register } from 'node:module'
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(load)}))
      const refuse = () => { throw new Error('a Worker compiles nothing') }
      const sendoff = await import('./index.mjs')
      WebAssembly.compile = refuse
      WebAssembly.Module = new Proxy(WebAssembly.Module, { construct: refuse })
      ${before}
      console.log(${CALL})`
    assert.equal(prints(code, dist, '--conditions=workerd'), '16')
  }
})

test('no module has a top-level await, and none refers to a file', async () => {
  for (const file of sources) {
    const text = readFileSync(join(dist, file), 'utf8')
    // This format cannot have a top-level await, and esbuild refuses it.
    await transform(text, { format: 'iife', logLevel: 'silent' })
    assert.doesNotMatch(text, /new URL\("/, file)
  }
})
