// The documents by themselves: every pattern in the engine of Go's tools, every schema in Ajv's strict mode.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { document, NAMES } from './ground.mjs'
import Ajv from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { RE2JS } from 're2js'

/** Calls this with every schema and its place. */
function walk(value, at, visit) {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value, at)
  for (const [key, inner] of Object.entries(value)) walk(inner, `${at}/${key}`, visit)
}

for (const name of NAMES) {
  test(`${name}: tools of others can read its patterns, schemas, references and arrays`, () => {
    const { components, paths } = document(name)
    // Keywords of OpenAPI that are no assertions.
    const ajv = formats.default(new Ajv({ strict: true, keywords: ['discriminator', 'example'], validateFormats: true }))
    const local = (schema) => JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document#/$defs/'))
    ajv.addSchema({ $id: 'document', $defs: local(components.schemas) })
    for (const key of Object.keys(components.schemas)) assert.doesNotThrow(() => ajv.compile({ $ref: `document#/$defs/${key}` }), key)

    let inline = 0
    walk({ components, paths }, '#', ({ pattern, schema, $ref, type, items, ...more }, at) => {
      if (typeof pattern === 'string') {
        assert.doesNotThrow(() => RE2JS.compile(pattern), at)
        assert.doesNotThrow(() => new RegExp(pattern, 'u'), at)
      }
      if (schema && at.startsWith('#/paths')) {
        inline += 1
        assert.doesNotThrow(() => ajv.compile(local(schema)), at)
      }
      if (typeof $ref === 'string') assert.deepEqual(Object.keys(more).filter((key) => key !== 'description'), [], at)
      if (type === 'array') assert(items, at)
    })
    assert(inline > 10)
  })
}
