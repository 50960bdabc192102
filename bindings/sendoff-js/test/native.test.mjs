// The backend if the addon is present, missing, foreign or broken; and panics in the addon.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addon, libc, target } from '../platform.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const { version } = createRequire(import.meta.url)('sendoff/package.json')
const built = readFileSync(at(`../dist/${addon}`))

/** An installed copy of the package, with further files. */
function installed(t, files = {}) {
  const root = mkdtempSync(join(tmpdir(), 'sendoff-'))
  t.after(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'node_modules/sendoff')
  cpSync(at('../dist'), join(folder, 'dist'), { recursive: true, filter: (file) => !file.endsWith('.node') })
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), content)
  }
  return join(folder, 'dist/index.cjs')
}

const beside = `node_modules/sendoff/dist/${addon}`
const apart = `node_modules/sendoff-${target}/${addon}`
/** The package of a platform, with this addon. */
const platform = (content, name = `sendoff-${target}`) => ({
  [`node_modules/${name}/${addon}`]: content,
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, main: addon }),
})

const MISSING = 'SENDOFF_BACKEND is `native`, and there is no addon of this version for this platform'
/** An addon in JavaScript. Any file is loaded as this one after `exporting(CORE)`. */
const CORE = `{ version: () => '${version}', call: () => '{"decimal":"16"}' }`
const exporting = (exports) => `require.extensions['.node'] = (module) => { module.exports = ${exports} }`

/** The backend and the result of one call, or the message of its error, in a new process that has run `before`. */
function says(file, SENDOFF_BACKEND = '', before = '') {
  const code = `
    ${before}
    const sendoff = require(${JSON.stringify(file)})
    try { console.log(sendoff.backend(), sendoff.readText('quantity', '0x10').decimal) } catch (error) { console.log(error.message) }`
  return output(code, SENDOFF_BACKEND)
}

function output(code, SENDOFF_BACKEND = '') {
  const env = { ...process.env, SENDOFF_BACKEND }
  return execFileSync(process.execPath, ['-e', code], { env, encoding: 'utf8', stdio: 'pipe' }).trim()
}

test('the addon is found in its package or beside the code, and the environment variable overrides it', (t) => {
  for (const files of [platform(built), { [beside]: built }]) {
    const file = installed(t, files)
    assert.equal(says(file), 'native 16')
    assert.equal(says(file, 'wasm'), 'wasm 16')
    assert.equal(says(file, 'native'), 'native 16')
    assert.equal(says(file, 'nativ'), 'expected SENDOFF_BACKEND to be `wasm` or `native`, found `nativ`')
  }
})

test('without an addon the wasm answers, unless SENDOFF_BACKEND is `native`', (t) => {
  const file = installed(t)
  assert.equal(says(file), 'wasm 16')
  assert.equal(says(file, 'native'), MISSING)
})

test('a foreign addon is ignored', (t) => {
  // As in a copy of node_modules from another machine: a library for another processor, or another format.
  const otherMachine = Buffer.from(built)
  otherMachine.writeUInt16LE(otherMachine.readUInt16LE(18) === 183 ? 62 : 183, 18)
  for (const content of [otherMachine, built.subarray(0, 32), 'not a library', ''])
    for (const files of [platform(content), { [beside]: content }]) assert.equal(says(installed(t, files)), 'wasm 16')
})

test('a truncated addon is ignored, at any length', (t) => {
  const file = installed(t, platform(built))
  const place = join(dirname(file), '../../..', apart)
  for (let tenth = 1; tenth < 10; tenth += 1) {
    writeFileSync(place, built.subarray(0, Math.floor((built.length * tenth) / 10)))
    assert.equal(says(file), 'wasm 16', `${tenth} tenths`)
  }
  writeFileSync(place, built.subarray(0, -1))
  assert.equal(says(file), 'wasm 16', 'all but a byte')
})

test('if the addon beside the code is broken, the one in its package is used', (t) => {
  assert.equal(says(installed(t, { [beside]: 'not a library', ...platform(built) })), 'native 16')
})

test('an addon of another version is ignored', (t) => {
  const file = installed(t, platform(built))
  assert.equal(says(file, '', exporting(CORE)), 'native 16')
  assert.equal(says(file, '', exporting(CORE.replace(version, '0.0.0'))), 'wasm 16')
  assert.equal(says(file, '', exporting('{}')), 'wasm 16')
  assert.equal(says(file, '', exporting('(() => { throw new Error() })()')), 'wasm 16')
})

test('musl is distinguished from glibc', { skip: !libc }, (t) => {
  const [name, version] = libc === 'glibc' ? ['musl', ''] : ['gnu', ', glibcVersionRuntime: "2.36"']
  const before = `process.report.getReport = () => ({ header: { osName: 'Linux'${version} } })`
  const file = installed(t, platform(built))
  assert.equal(says(file, '', before), 'wasm 16')
  assert.equal(says(file, 'native', before), MISSING)
  const other = installed(t, platform(built, `sendoff-linux-${process.arch}-${name}`))
  assert.equal(says(other, '', `${before}; ${exporting(CORE)}`), 'native 16')
})

test('on macOS and Windows the addon has the name of the platform and the processor', (t) => {
  for (const other of ['darwin', 'win32']) {
    // A library of these platforms has another format.
    const file = installed(t, platform('a library', `sendoff-${other}-${process.arch}`))
    const before = `Object.defineProperty(process, 'platform', { value: '${other}' })`
    assert.equal(says(file, '', `${before}; ${exporting(CORE)}`), 'native 16')
  }
})

test('the network is not asked for the platform, and later reports of the process are unchanged', (t) => {
  const file = installed(t, platform(built))
  const asked = `
    const { getReport } = process.report
    process.report.getReport = () => { console.log(process.report.excludeNetwork); return getReport.call(process.report) }`
  assert.equal(says(file, '', asked), 'true\nnative 16')
  const code = `
    const { excludeNetwork } = process.report
    require(${JSON.stringify(file)}).backend()
    console.log(process.report.excludeNetwork === excludeNetwork)`
  assert.equal(output(code), 'true')
})

test('a panic becomes an error of JavaScript, and the process lives', (t) => {
  // The same addon, in which every call panics. `cargo xtask test` builds it.
  const library = at('../../../target/native/examples/libpanics.so')
  assert(existsSync(library), `expected ${library}, which \`cargo xtask test\` builds`)
  const file = installed(t, platform(readFileSync(library)))
  const code = `
    const { createRequire } = require('node:module')
    const addon = createRequire(${JSON.stringify(file)})('sendoff-${target}')
    const names = Object.keys(addon).join()
    const { SendoffError, backend, readText } = require(${JSON.stringify(file)})
    try {
      readText('quantity', '0x10')
    } catch (error) {
      console.log(names, backend(), error.message, SendoffError.is(error))
    }`
  assert.match(output(code), /^call,version native .*panic for a test.* false$/)
})
