// Builds the package in Stryker's copy of the project, target/mutants/package/sandbox-…, whose sources contain all mutants.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const copy = fileURLToPath(new URL('../../', import.meta.url))
const project = fileURLToPath(new URL('../../../../../../', import.meta.url))
const link = (path) => symlinkSync(project + path, copy + path)

mkdirSync(`${copy}target`)
link('target/native')
link('bindings/sendoff-js/node_modules')
// In the packages of the example, `sendoff` is the package beside it: here it is the copy's.
const packages = 'bindings/sendoff-js/examples/node-backend/node_modules'
mkdirSync(copy + packages)
for (const name of readdirSync(project + packages)) {
  if (name === 'sendoff') symlinkSync(`${copy}bindings/sendoff-js`, `${copy}${packages}/sendoff`)
  else link(`${packages}/${name}`)
}
execFileSync(process.execPath, ['build.mjs', '--sources'], { cwd: `${copy}bindings/sendoff-js`, stdio: 'inherit' })
