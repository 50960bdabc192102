// The published package: its files, its resolution by tools, and its size.

import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pack } from '../pack.mjs'
import { addon } from '../platform.mjs'
import { listening } from './help.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
// Not in target/packages: other tests run at the same time.
const { tarball, files } = pack(at('../../../target/test/packages'))
const packed = `${dirname(tarball)}/sendoff`
const manifest = JSON.parse(readFileSync(`${packed}/package.json`, 'utf8'))

test('the package contains only the files that are imported from it', () => {
  const kinds = ['cjs', 'd.cts', 'd.ts', 'mjs']
  const built = ['index', 'sign', 'text', 'http', 'redis', 'signature', 'deployments', 'flow', 'sandbox', 'testing'].flatMap((entry) => kinds.map((kind) => `${entry}.${kind}`))
  built.push('core.cjs', 'core.mjs', 'sandbox-core.cjs', 'sandbox-core.mjs', 'sendoff.wasm', 'server.wasm', 'sign.wasm', 'signature.wasm', 'sandbox.wasm', 'command.wasm', addon)
  built.push('page/core.cjs', 'page/core.mjs', 'page/sign.cjs', 'page/sign.mjs', ...['core', 'sandbox', 'signature', 'testing'].map((file) => `workerd/${file}.mjs`))
  built.push('js.cjs', 'js.mjs', ...['core', 'core-sign', 'flow', 'sign', 'signature'].map((file) => `js/${file}.mjs`))
  // What these call is CommonJS, for both formats.
  built.push(...['core', 'core-sign', 'flow', 'sign', 'signature'].map((file) => `js/${file}.cjs`))
  built.push(...['sendoff', 'sign', 'signature'].map((module) => `js/module-${module}.cjs`))
  const expected = ['bin/sandbox.mjs', 'bin/sendoff.mjs', ...built.map((file) => `dist/${file}`), 'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'package.json']
  assert.deepEqual(files.sort(), expected.sort())
})

test('the package depends on no other package, and runs nothing when it is installed', () => {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies', 'bundledDependencies']
  for (const key of [...kinds, 'scripts', 'gypfile']) assert(!Object.hasOwn(manifest, key), key)
  assert.equal(manifest.sideEffects, false)
  // npm would compile it.
  assert(!files.includes('binding.gyp'))
})

test('to install the tarball asks the registry for no name', async (t) => {
  const asked = []
  const registry = await listening(t, createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(404).end('{}')
  }))
  const folder = mkdtempSync(join(tmpdir(), 'sendoff install '))
  t.after(() => rmSync(folder, { recursive: true }))
  const install = async (...what) => {
    const options = [`--registry=${registry}`, `--cache=${folder}/cache`, '--no-update-notifier']
    await promisify(execFile)('npm', ['install', ...what, ...options, '--fetch-retries=0'], { cwd: folder })
  }
  writeFileSync(`${folder}/package.json`, '{ "private": true }')
  await install(tarball)
  const names = () => asked.filter((line) => !line.includes('/-/npm/v1/security/'))
  assert.deepEqual(names(), [])
  const backend = `console.log(require('sendoff').backend())`
  assert.equal(execFileSync(process.execPath, ['-e', backend], { cwd: folder, encoding: 'utf8' }), 'native\n')
  const lock = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8'))
  assert.deepEqual(Object.keys(lock.packages).sort(), ['', 'node_modules/sendoff'])

  // This registry would have been asked.
  await assert.rejects(install('sendoff-is-not-there'))
  assert(names().includes('GET /sendoff-is-not-there'))
})

test('nothing tells where it was built', () => {
  const built = readdirSync(at('../dist'), { recursive: true }).filter((name) => /\.(wasm|node|[mc]?js)$/.test(name))
  assert(built.length > 10)
  for (const name of built) assert(!readFileSync(at(`../dist/${name}`)).includes(`${homedir()}/`), name)
})

const attw = dirname(createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json'))
const tsc = at('../node_modules/typescript/bin/tsc')

for (const [name, ...args] of [
  ...['types-test', 'types-test/backend'].map((project) => [`${project}: the types compile, and refuse invalid programs`, tsc, '-p', at(`../${project}`)]),
  ['publint finds nothing', at('../node_modules/publint/src/cli.js'), '--strict', packed],
  ['every entry has types for every module resolution', `${attw}/dist/index.js`, tarball, '--exclude-entrypoints', './sendoff.wasm'],
  ['no size exceeds its budget, and the stated sizes are those of this build', at('../size.mjs'), '--check'],
]) {
  test(name, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
  })
}
