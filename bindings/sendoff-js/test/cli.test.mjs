// `npx sendoff` has the same output as `sendoff` in Rust: both are tested with one corpus.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('../../../tests/cli/', import.meta.url))
const program = fileURLToPath(new URL('../bin/sendoff.mjs', import.meta.url))
const corpus = JSON.parse(readFileSync(`${cwd}corpus.json`, 'utf8'))

test('the corpus has more than 40 cases', () => assert(corpus.length > 40))

for (const { args, env, stdin, ...expected } of corpus) {
  test(`sendoff ${args.map((arg) => arg.slice(0, 40)).join(' ')} ${Object.keys(env ?? {}).join(' ')}`, () => {
    const { NO_COLOR, FORCE_COLOR, ...own } = process.env
    const input = stdin ? readFileSync(cwd + stdin) : ''
    const options = { cwd, encoding: 'utf8', input, env: { ...own, PATH: cwd, ...env } }
    const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args], options)
    assert.deepEqual({ stdout, stderr, code: status }, expected)
  })
}

test('a closed output is not an error', () => {
  const line = `"${process.execPath}" "${program}" plan 100000 --policy policy.json --now 0 --json | head -c 10`
  const { stdout, stderr } = spawnSync(line, { cwd, shell: true, encoding: 'utf8' })
  assert.deepEqual([stdout, stderr], ['[{"at":0,"', ''])
})
