// What several tests need: the documents of the demo, a server on a free port, and the issues of a call.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { SendoffError } from 'sendoff'

export const demo = (name) => JSON.parse(readFileSync(new URL(`../../../tests/demo/${name}.json`, import.meta.url), 'utf8'))
export const [request, facts, deployment] = ['request', 'facts', 'deployment'].map(demo)

/** Starts a server on a free port until the end of the test, and returns its address. */
export async function listening(t, server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => (server.closeAllConnections?.(), server.close()))
  return `http://127.0.0.1:${server.address().port}`
}

/** The issues of a call, each as `code path`. It fails if the call throws something else, or nothing. */
export function refused(call) {
  try {
    call()
  } catch (error) {
    assert(SendoffError.is(error), String(error.stack))
    return error.issues.map(({ code, path }) => `${code} ${path}`.trim())
  }
  throw new assert.AssertionError({ message: `expected issues of ${call}` })
}

/** Calls a function at every depth while a full stack unwinds, and once more. */
export function unwinds(call) {
  const descend = () => {
    try {
      descend()
    } finally {
      call()
    }
  }
  assert.throws(descend, RangeError)
  call()
}
