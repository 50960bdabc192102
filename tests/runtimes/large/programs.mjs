// Runtimes that are programs, which packages of npm only download.

import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { program } from '../program.mjs'

const { arch, platform } = process
const require = createRequire(import.meta.url)
const at = (name, file) => `${dirname(require.resolve(`${name}/package.json`))}/${file}`
const row = (name, version, file, folder, ...runs) =>
  ({ name, version, runs: runs.map((args) => () => program(file, args, { cwd: `${folder}/node`, env: { DENO_NO_UPDATE_CHECK: '1' } })) })

/** Deno, in which the addon needs a permission and the WebAssembly needs none. */
export function deno({ ground: { wasm, native } }) {
  const { version } = require('deno/package.json')
  const file = at(`@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`, 'deno')
  const run = (...permissions) => ['run', '--no-prompt', ...permissions, 'module.mjs']
  return [
    row('Deno, without a permission', version, file, wasm, run()),
    row('Deno, without a permission, addon installed', version, file, native, run()),
    row('Deno, all permissions, addon installed', version, file, native, run('--allow-all')),
  ]
}

export function bun({ ground: { wasm, native } }) {
  const { version } = require('bun/package.json')
  const file = at(`@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`, 'bin/bun')
  const both = [['module.mjs'], ['commonjs.cjs']]
  return [
    row('Bun, ESM and CommonJS', version, file, wasm, ...both),
    row('Bun, ESM and CommonJS, addon installed', version, file, native, ...both),
  ]
}
