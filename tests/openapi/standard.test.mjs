// The JSON Schemas that the package's documents have as Standard Schemas: each version says what the schema of the core says.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as sendoff from '../../bindings/sendoff-js/dist/index.mjs'
import { suites } from '../../bindings/sendoff-js/suite-files.mjs'
import { document } from './ground.mjs'
import Ajv from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'

const core = document('sendoff.schema')
const kinds = core.$defs.DocumentKind.enum
/** Every document of the vectors, each once. */
const documents = new Map(suites([]).flatMap(({ cases }) => cases).flatMap(({ args }) => args)
  .filter((value) => typeof value === 'object' && value !== null).map((value) => [JSON.stringify(value), value]))

for (const [target, Validator] of [['draft-2020-12', Ajv2020], ['draft-07', Ajv]]) {
  test(`${target} accepts the same documents as the schema of the core`, () => {
    const ofCore = new Ajv2020({ strict: false }).addSchema(core, 'core')
    const ofTarget = new Validator({ strict: true, strictRequired: false })
    for (const kind of kinds) {
      const { input, output } = sendoff[kind]['~standard'].jsonSchema
      const schema = input({ target })
      assert.deepEqual(output({ target }), schema)
      const [expected, found] = [ofCore.compile({ $ref: `core#/$defs/${kind}` }), ofTarget.compile(schema)]
      let accepted = 0
      for (const [text, value] of documents) {
        accepted += Number(expected(value))
        assert.equal(found(value), expected(value), `${kind}: ${text}`)
      }
      assert(accepted > 0, kind)
    }
  })
}

test('the schema of one kind of transfer accepts this kind', () => {
  const schemas = { NFT_TRANSFER: 'NftTransferRequest', TOKEN_TRANSFER: 'TokenTransferRequest', RAW_TRANSACTION: 'RawTransactionRequest' }
  const ajv = new Ajv2020({ strict: true })
  const all = Object.entries(schemas).map(([type, name]) => [type, ajv.compile(sendoff[name]['~standard'].jsonSchema.input({ target: 'draft-2020-12' }))])
  const requests = [...documents.values()].filter((value) => sendoff.safeCheckDocument('EstimateRequest', value).ok)
  assert(requests.length > 20)
  for (const request of requests) for (const [type, accepts] of all) assert.equal(accepts(request), type === request.type)
})
