// The pictures equal those of the core's answers and the measurements, and agree with the guides.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { bindings } from '../pictures/binds.mjs'
import { PICTURES } from '../pictures/write.mjs'
import { guides } from './guides.mjs'

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

for (const [name, draw] of Object.entries(PICTURES)) {
  test(`${name}.svg is fresh: \`cargo xtask codegen docs\` writes it`, () => assert.equal(read(`pictures/${name}.svg`), draw()))
  test(`${name}.svg is in a guide, and has a description for screen readers`, () => {
    assert(guides.some((guide) => read(guide).includes(`pictures/${name}.svg`)))
    assert.match(draw(), /role="img" aria-label="[^"]{80,}"/)
  })
}

test('every field of an operation is bound', () => {
  const open = bindings().filter(([, binder]) => binder === 'nothing').map(([name]) => name)
  assert.deepEqual(open, ['fees that the reply shows'])
})
