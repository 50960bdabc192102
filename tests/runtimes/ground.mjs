// The folders of the applications: two folders with the package installed from its tarball, one of them without the addon, as on a
// platform that has none.
// They also contain the dependencies of the applications, and the vectors as a module.

import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pack } from '../../bindings/sendoff-js/pack.mjs'
import { addon } from '../../bindings/sendoff-js/platform.mjs'
import { suites } from '../../bindings/sendoff-js/suite-files.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const root = at('../../target/runtimes')

/** Creates both folders: `{ wasm, native }`. */
export async function ground() {
  rmSync(root, { recursive: true, force: true })
  const { tarball } = pack(`${root}/packages`)
  const [wasm, native] = [await laid('wasm', tarball), await laid('native', tarball)]
  rmSync(`${wasm}/node_modules/sendoff/dist/${addon}`)
  return { wasm, native }
}

async function laid(name, tarball) {
  const folder = `${root}/${name}`
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, '{ "private": true, "type": "module" }\n')
  await promisify(execFile)('npm', ['install', tarball, '--offline', '--loglevel=error'], { cwd: folder })
  // The same page, with another entry of the package from its own folder.
  cpSync(at('apps/page'), `${folder}/url`, { recursive: true })
  cpSync(at('apps'), folder, { recursive: true })
  cpSync(at('assertions.mjs'), `${folder}/assertions.mjs`)
  cpSync(at('../../bindings/sendoff-js/suite.mjs'), `${folder}/suite.mjs`)
  writeFileSync(`${folder}/suites.mjs`, `export default ${JSON.stringify(suites([]))}\n`)
  writeFileSync(`${folder}/vectors.mjs`, `export default ${JSON.stringify(vectors())}\n`)
  return folder
}

/** The first case of each kind, for the whole package and for the entry `sendoff/sign`. */
function vectors() {
  const cases = (suite) => JSON.parse(readFileSync(at(`../vectors/${suite}.json`), 'utf8')).cases
  const first = (suite, call, holds) => cases(suite).find((vector) => vector.call === call && holds(vector))
  const of = (call, accepted, refused) => ({
    call,
    accepted: first(accepted, call, ({ ok }) => ok),
    refused: first(refused, call, ({ err }) => err?.issues),
  })
  return { ...of('estimate', 'estimate', 'estimate-refused'), sign: of('assemble', 'assemble', 'assemble') }
}
