// schemathesis on the pocket service, in JavaScript and as a process, and on the gateway in front of it: what it checks, and the
// exceptions by name, are in schemathesis.toml.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { configuration, file, folder, path, pocket, program, python, TOKEN } from './ground.mjs'

const gateway = async (t, args) => `http://${(await program(t, 'sendoff-gateway', args)).host}`

/** Tests the operations that are chosen of a document. */
async function check(name, url, chosen, header) {
  const args = ['--config-file', path('schemathesis.toml'), 'run', file(name), '--url', url, ...chosen, '-H', header, '--no-color']
  const child = spawn(`${python()}/schemathesis`, args, { cwd: folder('schemathesis') })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part))
  const status = await new Promise((resolve) => child.on('exit', resolve))
  assert.equal(status, 0, said)
  assert.match(said, /\d+ generated, \d+ passed/)
}

const CREDENTIALS = { client: `Authorization: Bearer ${TOKEN}`, server: 'x-api-key: sandbox-server-key' }

for (const [tag, header] of Object.entries(CREDENTIALS)) {
  for (const [service, start] of [['the pocket service', pocket], ['its process', (t) => gateway(t, ['--sandbox', '127.0.0.1:0'])]]) {
    test(`requests of a ${tag} to ${service}`, { timeout: 600_000 }, async (t) => {
      await check('openapi-okto-v1', await start(t), ['--include-tag', tag], header)
    })
  }
}

test('what the gateway itself answers in front of a backend', { timeout: 600_000 }, async (t) => {
  const own = ['estimate', 'supportedNetworks', 'supportedTokens'].flatMap((id) => ['--include-operation-id', id])
  await check('openapi', await gateway(t, ['--config', configuration(await pocket(t))]), own, 'Authorization: Bearer demo-token')
})
