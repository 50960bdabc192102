import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versions } from '../rows/peers.mjs'
import { read } from '../rows/table.mjs'

test('every row of the tables equals the libraries\' results; `cargo xtask codegen docs` writes them', () => {
  const { found, expected } = read()
  assert.match(found, /<!-- rows -->/)
  assert.equal(found, expected)
})

test('the page names the tested versions', () => {
  const { found } = read()
  for (const [name, version] of Object.entries(versions)) assert(found.includes(`${name} ${version}`), `${name} ${version}`)
})
