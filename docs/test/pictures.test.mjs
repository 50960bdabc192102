// The pictures equal those of the core's answers and the measurements, and agree with the guides.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { bindings } from '../pictures/binds.mjs'
import { windows } from '../pictures/day.mjs'
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

test('the day has consecutive windows, and some of them are full', () => {
  const found = windows()
  for (const [at, { start }] of found.slice(1).entries()) assert.equal(start - found[at].start, 3_600_000)
  assert(found.some(({ refused }) => refused > 0) && found.some(({ refused }) => refused === 0))
  for (const { admitted, refused } of found) assert(admitted <= 100 && (refused === 0 || admitted === 100))
})
