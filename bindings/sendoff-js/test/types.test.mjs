import { spawnSync } from 'node:child_process'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

for (const project of ['types-test', 'types-test/backend']) {
  test(`${project}: the types compile, and refuse invalid programs`, () => {
    const args = [at('../node_modules/typescript/bin/tsc'), '-p', at(`../${project}`)]
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  })
}
