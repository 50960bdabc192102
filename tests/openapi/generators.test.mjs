// Generators take the documents whole, without a warning, and one call of each client works on the pocket service.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { symlinkSync, existsSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { test } from 'node:test'
import { file, folder, NAMES, path, pocket, python, run, TOKEN } from './ground.mjs'
import createClient from 'openapi-fetch'
import openapiTS, { astToString } from 'openapi-typescript'

const TRANSFER = { network_name: 'POLYGON', token_address: '', quantity: '0.1', recipient_address: '0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B' }
const tsc = (place, args) => run(process.execPath, [path('node_modules/typescript/bin/tsc'), ...args], { cwd: place })

/** A folder in which programs find the packages of this one. */
function withPackages(name) {
  const place = folder(name)
  if (!existsSync(`${place}/node_modules`)) symlinkSync(path('node_modules'), `${place}/node_modules`)
  return place
}

test('openapi-typescript and openapi-fetch', { timeout: 300_000 }, async (t) => {
  const place = withPackages('types')
  for (const name of NAMES) writeFileSync(`${place}/${name}.ts`, astToString(await openapiTS(pathToFileURL(file(name)))))
  writeFileSync(
    `${place}/call.ts`,
    `import createClient from 'openapi-fetch'
import type { paths } from './openapi-okto-v1.js'
import type { components, paths as specified } from './openapi.js'
import type { paths as admin } from './admin.js'

const client = createClient<paths>({ baseUrl: '' })
export async function order(): Promise<string | undefined> {
  const { data } = await client.POST('/api/v1/transfer/tokens/execute', { body: ${JSON.stringify(TRANSFER)} })
  return data?.data.orderId
}
// @ts-expect-error a quantity is text
void client.POST('/api/v1/transfer/tokens/execute', { body: { ...${JSON.stringify(TRANSFER)}, quantity: 1 } })

const estimate = createClient<specified>({ baseUrl: '' })
export async function hash(body: components['schemas']['EstimateRequest']): Promise<string | undefined> {
  const { data } = await estimate.POST('/api/oc/v1/estimate', { body })
  return data?.data.userOps.callData
}
export type Session = admin['/session']
`,
  )
  tsc(place, ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', 'call.ts'])

  const client = createClient({ baseUrl: await pocket(t), headers: { authorization: `Bearer ${TOKEN}` } })
  const { data } = await client.POST('/api/v1/transfer/tokens/execute', { body: TRANSFER })
  assert.match(data.data.orderId, /^[0-9a-f-]{36}$/)
})

test('@hey-api/openapi-ts', { timeout: 300_000 }, async (t) => {
  const place = withPackages('hey')
  for (const name of NAMES) {
    const said = run(path('node_modules/.bin/openapi-ts'), ['-i', file(name), '-o', `${place}/${name}`, '-c', '@hey-api/client-fetch'])
    assert.doesNotMatch(said, /warn|error|skip/i)
  }
  tsc(place, ['--strict', '--target', 'es2022', '--module', 'commonjs', '--moduleResolution', 'node10', '--skipLibCheck', '--outDir', 'out', 'openapi-okto-v1/index.ts', 'openapi-okto-v1/client.gen.ts'])
  writeFileSync(`${place}/out/package.json`, '{ "type": "commonjs" }')
  const require = createRequire(`${place}/out/x.js`)
  const { transferTokens } = require('./index.js')
  const { client } = require('./client.gen.js')
  client.setConfig({ baseUrl: await pocket(t), auth: TOKEN })
  const { data, error } = await transferTokens({ body: TRANSFER })
  assert.match(data?.data.orderId ?? JSON.stringify(error), /^[0-9a-f-]{36}$/)
})

test('openapi-python-client', { timeout: 600_000 }, async (t) => {
  const bin = python()
  const place = folder('python')
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  for (const name of NAMES) {
    const module = name.replaceAll('-', '_')
    const said = run(`${bin}/openapi-python-client`, ['generate', '--path', file(name), '--output-path', `${place}/${module}`, '--meta', 'none', '--overwrite', '--fail-on-warning'], { env })
    assert.doesNotMatch(said, /warning|skip|unable/i)
  }
  const program = `
from openapi_okto_v1 import AuthenticatedClient
from openapi_okto_v1.api.client import transfer_tokens
from openapi_okto_v1.models import TransferTokensBody
import json, os
client = AuthenticatedClient(base_url=os.environ["BASE"], token=os.environ["TOKEN"])
reply = transfer_tokens.sync(client=client, body=TransferTokensBody.from_dict(json.loads(os.environ["BODY"])))
print(reply.data.order_id)
`
  const given = { ...env, BASE: await pocket(t), TOKEN, BODY: JSON.stringify(TRANSFER), PYTHONPATH: place }
  const said = await new Promise((resolve) => execFile(`${bin}/python`, ['-c', program], { env: given }, (_, stdout, stderr) => resolve(stdout.trim() || stderr)))
  assert.match(said, /^[0-9a-f-]{36}$/)
})
