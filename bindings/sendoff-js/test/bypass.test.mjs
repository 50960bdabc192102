// The committed cases of tests/bypass, through the package: what tests/bypass/file.rs tells another SDK to do.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { safeAssemble, safeComparisonCode, safeSignable, safeUserOpHash } from 'sendoff'
import { checkSignature } from 'sendoff/signature'

const { classes, exchanges, cases } = JSON.parse(readFileSync(new URL('../../../tests/bypass/cases.json', import.meta.url), 'utf8'))

/** Applies a JSON Patch (RFC 6902) of `add`, `remove` and `replace`. */
function patched(document, patch) {
  const root = { '': structuredClone(document) }
  for (const { op, path, value } of patch) {
    const keys = path.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = keys.pop()
    const parent = keys.reduce((at, key) => at[key], root)
    if (op === 'remove') delete parent[last]
    // A plain assignment to `__proto__` would add no key.
    else Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true })
  }
  return root['']
}

const has = (list, wanted) => list.some((item) => Object.entries(wanted).every(([key, value]) => item[key] === value))

function check({ exchange, attack, expect }) {
  const { request, where, reply, signed, challenge } = exchanges[exchange]
  const honest = safeSignable(request, reply, where)
  assert.ok(honest.ok, 'the honest reply is accepted')
  if (expect.notAssembled) {
    const { ok, issues } = safeAssemble(attack.operation, '0x01')
    return assert.ok(!ok && has(issues, expect.notAssembled))
  }
  if (expect.anotherHash) {
    const { entryPoint, chainId, version, gasFeeOrder } = attack.at ?? where
    const hash = safeUserOpHash(attack.operation ?? honest.value.operation, { entryPoint, chainId, version, gasFeeOrder })
    return assert.ok(!hash.ok || hash.value !== honest.value.hash)
  }
  if (expect.notSigned) {
    const judged = [signed, attack.signed].map(({ signature, signer }) => checkSignature(honest.value.digest, signature, signer))
    return assert.deepEqual(judged.map(({ reason }) => reason), [undefined, expect.notSigned.reason])
  }
  const altered = attack.replyText ?? patched(reply, attack.replyPatch ?? [])
  const answer = safeSignable(attack.request ?? request, altered, attack.where ?? where, attack.names)
  if (expect.refused) return assert.ok(!answer.ok && has(answer.issues, expect.refused), JSON.stringify(answer.issues))
  assert.ok(answer.ok, JSON.stringify(answer.issues))
  if (challenge !== undefined) {
    const asked = safeComparisonCode(honest.value.hash, challenge)
    const shown = safeComparisonCode(answer.value.hash, attack.challenge ?? challenge)
    if (expect.notCompared) return assert.ok(asked.ok && !shown.ok && has(shown.issues, expect.notCompared))
    return assert.ok(asked.ok && shown.ok && asked.value !== shown.value)
  }
  if (expect.unchanged) return assert.deepEqual(answer.value, honest.value)
  if (expect.warned) {
    return assert.deepEqual([honest, answer].map(({ value }) => has(value.warnings, expect.warned)), [false, true])
  }
  assert.deepEqual([honest, answer].map(({ value }) => value.unbound.includes(expect.unbound.path)), [false, true])
}

test('each class has a case, and no case is accepted', () => {
  assert.deepEqual(new Set(cases.map((one) => one.class)), new Set(classes.map(({ name }) => name)))
  for (const one of cases) {
    try {
      check(one)
    } catch (error) {
      error.message = `${one.name}: ${error.message}`
      throw error
    }
  }
})
