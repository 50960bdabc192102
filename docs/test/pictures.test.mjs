// The pictures are those that the core and the measured figures give, and they tell what the guides say.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { bindings } from '../pictures/binds.mjs'
import { windows } from '../pictures/day.mjs'
import { PICTURES } from '../pictures/write.mjs'
import { guides } from './guides.mjs'

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

for (const [name, draw] of Object.entries(PICTURES)) {
  test(`${name}.svg is fresh: \`npm run pictures\` writes it`, () => assert.equal(read(`pictures/${name}.svg`), draw()))
  test(`${name}.svg is in a guide, and tells what it shows to those who do not see it`, () => {
    assert(guides.some((guide) => read(guide).includes(`pictures/${name}.svg`)))
    assert.match(draw(), /role="img" aria-label="[^"]{80,}"/)
  })
}

test('nothing of an operation is bound by nothing', () => {
  const open = bindings().filter(([, binder]) => binder === 'nothing').map(([name]) => name)
  assert.deepEqual(open, ['fees that the reply shows'])
})

test('the day has windows back to back, of which some are full', () => {
  const found = windows()
  for (const [at, { start }] of found.slice(1).entries()) assert.equal(start - found[at].start, 3_600_000)
  assert(found.some(({ refused }) => refused > 0) && found.some(({ refused }) => refused === 0))
  for (const { admitted, refused } of found) assert(admitted <= 100 && (refused === 0 || admitted === 100))
})
