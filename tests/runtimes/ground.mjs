// The folders of the applications: two folders with the package installed from its tarball, one of them without the addon, as on a
// platform that has none.
// They also contain the dependencies of the applications, and the vectors as a module.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { install, pack } from '../../bindings/sendoff-js/pack.mjs'
import { suites } from '../../bindings/sendoff-js/suite-files.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const root = at('../../target/runtimes')

/** Creates both folders: `{ wasm, native }`. */
export function ground() {
  rmSync(root, { recursive: true, force: true })
  const { tarball } = pack(`${root}/packages`)
  const [wasm, native] = ['wasm', 'native'].map((name) => laid(name, tarball))
  const dist = `${wasm}/node_modules/sendoff/dist`
  for (const file of readdirSync(dist)) if (file.endsWith('.node')) rmSync(`${dist}/${file}`)
  return { wasm, native }
}

function laid(name, tarball) {
  const folder = `${root}/${name}`
  install(folder, tarball)
  cpSync(at('apps'), folder, { recursive: true })
  // Vite begins with the page.
  for (const app of ['page', 'pocket']) cpSync(at('apps/index.html'), `${folder}/${app}/index.html`)
  cpSync(at('assertions.mjs'), `${folder}/assertions.mjs`)
  cpSync(at('../../bindings/sendoff-js/suite.mjs'), `${folder}/suite.mjs`)
  // As text: a compiler of 20 MB of objects takes minutes, and an engine reads JSON faster.
  writeFileSync(`${folder}/suites.mjs`, `export default JSON.parse(${JSON.stringify(JSON.stringify(suites([])))})\n`)
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
