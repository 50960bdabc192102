// The tests that SECURITY.md names exist.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const at = (path) => new URL(`../../${path}`, import.meta.url)
const security = readFileSync(at('SECURITY.md'), 'utf8')
const rows = Array.from(security.matchAll(/^\| (?!promise|---)(.*) \| (.*) \|$/gm), ([, promise, tests]) => ({ promise, tests }))

/** The names before ` in `, and the file after it. */
const named = (tests) =>
  Array.from(tests.matchAll(/((?:`[^`]+`(?:, | and )?)+) in `([^`]+)`/g), ([, names, file]) => ({
    file,
    names: Array.from(names.matchAll(/`([^`]+)`/g), ([, name]) => name),
  }))

test('SECURITY.md has its promises', () => assert(rows.length > 10))

for (const { promise, tests } of rows)
  test(`SECURITY.md: ${promise}`, () => {
    const files = named(tests)
    assert(files.length > 0, `expected the name of a test, found ${tests}`)
    for (const { file, names } of files) {
      assert(existsSync(at(file)), `expected the file ${file}`)
      const text = readFileSync(at(file), 'utf8')
      for (const name of names) {
        const spellings = [`fn ${name}(`, `test('${name}'`, `: ${name}\``]
        assert(spellings.some((spelling) => text.includes(spelling)), `expected a test \`${name}\` in ${file}`)
      }
    }
  })
