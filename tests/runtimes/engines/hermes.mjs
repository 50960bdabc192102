import { execFile } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { transformFileAsync } from '@babel/core'
import { alone, shared } from './alone.mjs'

const require = createRequire(import.meta.url)
const { version } = require('hermes-engine-cli/package.json')
/** An application imports `sendoff` and not `sendoff/js`. */
const alias = Object.fromEntries(['', '/sign', '/signature'].map((name) => [`sendoff/js${name}`, `sendoff${name}`]))
const FOLDERS = { linux: 'linux64-bin', darwin: 'osx-bin', win32: 'win64-bin' }

/**
 * React Native's engine, in the last version that is a program. It has no compiler to machine code, no WebAssembly, no TextEncoder and
 * no classes: applications convert their code with Babel. The engine of today's compiler is a part of React Native.
 */
export function hermes({ ground }) {
  const program = (place) => {
    const [name] = place.split('/')
    const file = `${dirname(require.resolve(`${name}/package.json`))}${place.slice(name.length).replace('FOLDER', FOLDERS[process.platform])}`
    chmodSync(file, 0o755)
    return (...args) => promisify(execFile)(file, args, { maxBuffer: 1 << 26, timeout: 1_800_000 })
  }
  const compiled = async (compiler, code, name) => {
    const [source, bytecode] = ['js', 'hbc'].map((kind) => `${ground.wasm}/js/${name}.${kind}`)
    writeFileSync(source, code)
    await program(compiler)('-O', '-emit-binary', '-w', '-out', bytecode, source)
    return bytecode
  }
  const options = { alias, conditions: ['react-native'] }
  const run = async (share) => {
    // The compiler of today takes the code as it is.
    if (share === 0) await compiled('hermes-compiler/hermesc/FOLDER/hermesc', await alone(ground, share, options), 'as-it-is')
    const converted = await alone(ground, share, options, [babel])
    const bytecode = await compiled('hermes-engine-cli/FOLDER/hermesc', converted, `converted-${share}`)
    const { stdout } = await program('hermes-engine-cli/FOLDER/hermes')('-b', bytecode)
    return stdout
  }
  return [{ name: 'Hermes, bytecode, after Babel, with the condition `react-native`', version, runs: [() => shared('Hermes', run)] }]
}

/** Converts each file as Metro does. binaryen's and the vectors have nothing to convert, and are too large for Babel. */
const babel = {
  name: 'Babel',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.[cm]js$/ }, async ({ path }) => {
      if (/(module-\w+\.cjs|suites\.mjs)$/.test(path)) return undefined
      const presets = [[require.resolve('@babel/preset-env'), { targets: { ie: '11' }, modules: false }]]
      const sourceType = path.endsWith('.cjs') ? 'script' : 'module'
      const { code } = await transformFileAsync(path, { presets, sourceType, configFile: false, babelrc: false })
      return { contents: code }
    }),
}
