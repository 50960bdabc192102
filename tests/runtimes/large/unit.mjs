import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const require = createRequire(import.meta.url)
const version = (name) => require(`${name}/package.json`).version
const within = (name, file) => `${dirname(require.resolve(`${name}/package.json`))}/${file}`

/** Tests of an application, in Node and in jsdom. */
export function unit({ ground }) {
  const vitest = (folder, environment) => ran(folder, within('vitest', 'vitest.mjs'), ['run', '--globals', '--environment', environment])
  // Jest reads CommonJS, so applications convert their modules.
  const jest = async (folder, environment) => {
    const own = `${folder}/unit`
    const files = { entryPoints: [`${own}/sendoff.test.mjs`], outfile: `${own}/jest/sendoff.test.cjs` }
    await build({ ...files, bundle: true, format: 'cjs', platform: 'node', external: ['sendoff', 'sendoff/sign'], logLevel: 'error' })
    const testEnvironment = require.resolve(`jest-environment-${environment}`)
    const config = { rootDir: own, testEnvironment, testMatch: ['**/*.test.cjs'] }
    return ran(folder, within('jest', 'bin/jest.js'), ['--config', JSON.stringify(config)])
  }
  const row = (name, runner, folder) => {
    const runs = ['node', 'jsdom'].map((environment) => () => runner(folder, environment))
    return { name, version: version(runner.name), runs }
  }
  return [
    row('Vitest, Node and jsdom', vitest, ground.wasm),
    row('Vitest, Node and jsdom, addon installed', vitest, ground.native),
    row('Jest, Node and jsdom', jest, ground.wasm),
    row('Jest, Node and jsdom, addon installed', jest, ground.native),
  ]
}

/** What the test says that this program runs. */
async function ran(folder, file, args) {
  const cwd = `${folder}/unit`
  rmSync(`${cwd}/backend.txt`, { force: true })
  await promisify(execFile)(process.execPath, [file, ...args], { cwd, timeout: 60_000 })
  return readFileSync(`${cwd}/backend.txt`, 'utf8')
}
