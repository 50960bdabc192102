import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { program } from '../program.mjs'

const { version } = createRequire(import.meta.url)('deno/package.json')

/** Deno, in which the addon needs a permission and the WebAssembly needs none. */
export function deno({ ground }) {
  const row = (name, permissions, folder, file) => {
    const options = { cwd: `${folder}/node`, env: { DENO_NO_UPDATE_CHECK: '1' } }
    return { name, version, runs: [() => program(binary(), ['run', '--no-prompt', ...permissions, file], options)] }
  }
  return [
    row('Deno, without a permission', [], ground.wasm, 'alone.mjs'),
    row('Deno, without a permission, addon installed', [], ground.native, 'alone.mjs'),
    row('Deno, all permissions, addon installed', ['--allow-all'], ground.native, 'module.mjs'),
  ]
}

/** The path of the program, which the npm package only downloads. */
function binary() {
  const libc = process.platform === 'linux' ? '-glibc' : ''
  const folder = `@deno/${process.platform}-${process.arch}${libc}`
  return `${dirname(createRequire(import.meta.url).resolve(`${folder}/package.json`))}/deno`
}
