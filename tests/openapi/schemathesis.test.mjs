// schemathesis on the pocket service: what it checks, and the exceptions by name, are in schemathesis.toml.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { file, folder, path, pocket, python, TOKEN } from './ground.mjs'

for (const [tag, header] of [['client', `Authorization: Bearer ${TOKEN}`], ['server', 'x-api-key: sandbox-server-key']]) {
  test(`requests of a ${tag}`, { timeout: 600_000 }, async (t) => {
    const args = ['--config-file', path('schemathesis.toml'), 'run', file('openapi-okto-v1'), '--url', await pocket(t), '--include-tag', tag, '-H', header, '--no-color']
    const child = spawn(`${python()}/schemathesis`, args, { cwd: folder('schemathesis') })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part))
    const status = await new Promise((resolve) => child.on('exit', resolve))
    assert.equal(status, 0, said)
    assert.match(said, /\d+ generated, \d+ passed/)
  })
}
