// `npx sendoff` has the same output as `sendoff` in Rust: both are tested with one corpus.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

test('`sendoff sandbox` serves a pocket service with its options, and prints how to ask it', async (t) => {
  const folder = mkdtempSync(`${tmpdir()}/sendoff-`)
  writeFileSync(`${folder}/options.json`, '{"lies":{"seed":"","every":1,"names":["list-doubled"]}}')
  const child = spawn(process.execPath, [program, 'sandbox', '--listen', '127.0.0.1:0', '--options', `${folder}/options.json`])
  t.after(() => (child.kill(), rmSync(folder, { recursive: true })))
  let said = ''
  child.stdout.on('data', (part) => (said += part))
  while (!said.includes('"somebody"')) await once(child.stdout, 'data')
  const [, url] = /^sandbox (http:\S+)$/m.exec(said)
  assert.equal(said.match(/^curl /gm).length, 5)
  assert.match(said, /sandbox-token[^]*sandbox-client-key[^]*sandbox-server-key/)
  const reply = await fetch(`${url}/api/v1/portfolio`, { headers: { authorization: 'Bearer sandbox-token' } })
  assert.equal((await reply.json()).data.tokens.length, 10)
})

test('`sendoff sandbox` prints its usage, and refuses wrong arguments with a sentence', () => {
  for (const [args, expected, said] of [
    [['--help'], 0, /^usage: sendoff sandbox /],
    [['--listen', 'x'], 2, /^sendoff: expected an address /],
    [['--port', '1'], 2, /^sendoff: .*'--port'/],
    [['--options', '/nowhere.json'], 2, /^sendoff: cannot read \/nowhere.json: /],
  ]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'sandbox', ...args], { encoding: 'utf8' })
    assert.equal(status, expected)
    assert.match(stdout || stderr, said)
  }
})
