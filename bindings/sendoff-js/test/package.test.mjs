// The published package: its files, its resolution by tools, and its size.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pack } from '../pack.mjs'
import { addon, libc, target } from '../platform.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const { main, native } = pack()
const manifest = (name) => JSON.parse(readFileSync(`${dirname(main.tarball)}/${name}/package.json`, 'utf8'))

function runs(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
}

test('the package contains only the files that are imported from it', () => {
  const kinds = ['cjs', 'd.cts', 'd.ts', 'mjs']
  const files = ['index', 'sign', 'text', 'http', 'redis', 'signature', 'deployments', 'url'].flatMap((entry) => kinds.map((kind) => `${entry}.${kind}`))
  files.push('core.cjs', 'core.mjs', 'sendoff.wasm', 'sign.wasm', 'signature.wasm')
  files.push(...['core', 'deployments', 'http', 'index', 'redis', 'sign', 'signature', 'text'].map((entry) => `workerd/${entry}.mjs`))
  const program = ['commands', 'place', 'sendoff', 'show'].map((file) => `bin/${file}.mjs`)
  const expected = [...program, ...files.map((file) => `dist/${file}`), 'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'package.json']
  assert.deepEqual(main.files.sort(), expected.sort())
  const { optionalDependencies, dependencies, devDependencies, scripts, sideEffects } = manifest('sendoff')
  assert.deepEqual({ dependencies, devDependencies, scripts, sideEffects }, {
    dependencies: undefined,
    devDependencies: undefined,
    scripts: undefined,
    sideEffects: false,
  })
  // Exactly this version, because an addon of another version is not used.
  assert.equal(optionalDependencies['sendoff-linux-x64-gnu'], manifest('sendoff').version)
})

test('the package of the addon names its platform', () => {
  assert.deepEqual(native.files.sort(), ['LICENSE-APACHE', 'LICENSE-MIT', 'package.json', addon].sort())
  const { name, version, os, cpu, main: entry, ...rest } = manifest(`sendoff-${target}`)
  assert.deepEqual([name, version, os, cpu, entry], [
    `sendoff-${target}`,
    manifest('sendoff').version,
    [process.platform],
    [process.arch],
    addon,
  ])
  assert.deepEqual(rest.libc, libc && [libc])
  assert.equal(rest.dependencies, undefined)
})

test('nothing tells where it was built', () => {
  const built = readdirSync(at('../dist'), { recursive: true }).filter((name) => /\.(wasm|node|[mc]?js)$/.test(name))
  assert(built.length > 10)
  for (const name of built) assert(!readFileSync(at(`../dist/${name}`)).includes(`${homedir()}/`), name)
})

test('publint finds nothing', () => {
  for (const folder of ['sendoff', `sendoff-${target}`])
    runs(at('../node_modules/publint/src/cli.js'), '--strict', `${dirname(main.tarball)}/${folder}`)
})

test('every entry has types for every module resolution', () => {
  const attw = dirname(createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json'))
  runs(`${attw}/dist/index.js`, main.tarball, '--exclude-entrypoints', './sendoff.wasm')
})

test('no size exceeds its budget', () => runs(at('../size.mjs'), '--check'))
