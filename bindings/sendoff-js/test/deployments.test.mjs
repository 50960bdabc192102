// Public deployments are deployments without the application's wallet.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDocument } from 'sendoff'
import { deployments } from 'sendoff/deployments'
import { deployment as demo } from './help.mjs'

for (const [name, deployment] of Object.entries(deployments)) {
  test(`${name} becomes a deployment with the wallet of an application`, () => {
    assert.deepEqual(checkDocument('Deployment', { ...deployment, clientSWA: demo.clientSWA }), {})
    assert.throws(() => checkDocument('Deployment', deployment), ({ issues }) => {
      assert.deepEqual(issues.map(({ path, code }) => [path, code]), [['document.clientSWA', 'missing']])
      return true
    })
  })
}

test('the demo uses the sandbox', () => {
  assert.deepEqual({ ...deployments.sandbox, clientSWA: demo.clientSWA }, demo)
})
