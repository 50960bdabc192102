// The backend if the addon is present, missing, changed or broken; and panics in the addon.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { addon, libc, target } from '../platform.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const built = readFileSync(at(`../dist/${addon}`))
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/**
 * An installed copy of the package with this addon, or without one. The package was built with the addon `made`, for the platform
 * `of`.
 */
function installed(t, { content, made = content, of = target } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'sendoff-'))
  t.after(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'node_modules/sendoff')
  const dist = join(folder, 'dist')
  cpSync(at('../dist'), dist, { recursive: true, filter: (file) => !file.endsWith('.node') })
  cpSync(at('../package.json'), join(folder, 'package.json'))
  if (made !== undefined) {
    const core = join(dist, 'core.cjs')
    const text = readFileSync(core, 'utf8')
    const changed = text.replace(`"${target}": "${sha256(built)}"`, `"${of}": "${sha256(made)}"`)
    assert(changed !== text || (of === target && made === built), 'the package holds the digest of its addon')
    writeFileSync(core, changed)
  }
  if (content !== undefined) writeFileSync(join(dist, `sendoff.${of}.node`), content)
  return join(dist, 'index.cjs')
}

const MISSING = 'SENDOFF_BACKEND is `native`, and the addon of this package for this platform is not here'
/** The file of an addon in JavaScript, whose code is the text of the file. */
const CORE = `{ call: () => '{"decimal":"16"}' }`
const inJavaScript = `require.extensions['.node'] = (module, file) => {
  module.exports = eval('(' + require('node:fs').readFileSync(file, 'utf8') + ')')
}`

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

test('the addon of the package answers, a bundle elsewhere too, and without it the wasm; SENDOFF_BACKEND overrides that', (t) => {
  const file = installed(t, { content: built })
  const bundle = join(dirname(file), '../../../app.cjs')
  const inlined = { bundle: true, platform: 'node', format: 'cjs', logLevel: 'silent' }
  buildSync({ ...inlined, entryPoints: [join(dirname(file), 'sign.cjs')], outfile: bundle })
  assert.equal(says(bundle), 'native 16')
  assert.equal(says(file), 'native 16')
  assert.equal(says(file, 'wasm'), 'wasm 16')
  assert.equal(says(file, 'native'), 'native 16')
  assert.equal(says(file, 'nativ'), 'expected SENDOFF_BACKEND to be `wasm` or `native`, found `nativ`')
  rmSync(join(dirname(file), addon))
  assert.equal(says(bundle), 'wasm 16')
  assert.equal(says(file), 'wasm 16')
  assert.equal(says(file, 'native'), MISSING)
})

test('an addon whose SHA-256 is another one is not loaded', (t) => {
  // It would run if it was loaded, and say so.
  const tampered = `(console.log('loaded'), ${CORE})`
  assert.equal(says(installed(t, { content: tampered }), '', inJavaScript), 'loaded\nnative 16')
  for (const before of [inJavaScript, '']) {
    const file = installed(t, { content: tampered, made: built })
    assert.equal(says(file, '', before), 'wasm 16')
    assert.equal(says(file, 'native', before), MISSING)
  }
  const flipped = (at) => Buffer.from(built).fill(built[at] ^ 1, at, at + 1)
  const wrong = ['not a library', '', built.subarray(0, -1), built.subarray(0, 32), Buffer.concat([built, Buffer.of(0)]), ...[0, built.length >> 1, built.length - 1].map(flipped)]
  for (const content of wrong) assert.equal(says(installed(t, { content, made: built })), 'wasm 16')
})

test('no other package is loaded for it', (t) => {
  const file = installed(t, { made: built })
  const folder = join(dirname(file), '../..', `sendoff-${target}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.js'), `console.log('loaded'); module.exports = ${CORE}`)
  writeFileSync(join(folder, addon), built)
  assert.equal(says(file), 'wasm 16')
})

test('if the addon that the package was built with does not load here, the wasm answers', (t) => {
  // A library for another processor, or another format.
  const otherMachine = Buffer.from(built)
  otherMachine.writeUInt16LE(otherMachine.readUInt16LE(18) === 183 ? 62 : 183, 18)
  for (const content of [otherMachine, 'not a library', '']) assert.equal(says(installed(t, { content })), 'wasm 16')
  const throwing = '(() => { throw new Error() })()'
  assert.equal(says(installed(t, { content: throwing }), '', inJavaScript), 'wasm 16')
})

const [otherLibc, version] = libc === 'glibc' ? ['musl', ''] : ['gnu', ', glibcVersionRuntime: "2.36"']
for (const [name, suffix, before] of [
  ['darwin', '', `Object.defineProperty(process, 'platform', { value: 'darwin' })`],
  ['win32', '', `Object.defineProperty(process, 'platform', { value: 'win32' })`],
  ['linux', `-${otherLibc}`, `process.report.getReport = () => ({ header: { osName: 'Linux'${version} } })`],
]) {
  const of = `${name}-${process.arch}${suffix}`
  const skip = of === target || (name === 'linux' && !libc)
  test(`on ${of} the addon for ${target} is not loaded, and its own is`, { skip }, (t) => {
    const file = installed(t, { content: built })
    assert.equal(says(file, '', before), 'wasm 16')
    assert.equal(says(file, 'native', before), MISSING)
    assert.equal(says(installed(t, { content: CORE, of }), '', `${before}; ${inJavaScript}`), 'native 16')
  })
}

test('the network is not asked for the platform, and later reports of the process are unchanged', (t) => {
  const file = installed(t, { content: built })
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
  const file = installed(t, { content: readFileSync(library) })
  const code = `
    const { createRequire } = require('node:module')
    const addon = createRequire(${JSON.stringify(file)})('./${addon}')
    const names = Object.keys(addon).join()
    const { SendoffError, backend, readText } = require(${JSON.stringify(file)})
    try {
      readText('quantity', '0x10')
    } catch (error) {
      console.log(names, backend(), error.message, SendoffError.is(error))
    }`
  assert.match(output(code), /^call native .*panic for a test.* false$/)
})
