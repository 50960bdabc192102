import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { program } from '../program.mjs'

const { version } = createRequire(import.meta.url)('bun/package.json')

export function bun({ ground }) {
  const row = (name, folder) => {
    const options = { cwd: `${folder}/node` }
    return { name, version, runs: ['module.mjs', 'commonjs.cjs'].map((file) => () => program(binary(), [file], options)) }
  }
  return [
    row('Bun, ESM and CommonJS', ground.wasm),
    row('Bun, ESM and CommonJS, addon installed', ground.native),
  ]
}

/** The path of the program, which the npm package only downloads. */
function binary() {
  const folder = `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`
  return `${dirname(createRequire(import.meta.url).resolve(`${folder}/package.json`))}/bin/bun`
}
