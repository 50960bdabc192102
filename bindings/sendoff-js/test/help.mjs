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

/** The reply of a guard for fetch: its status, its headers and its body. */
export async function asked(guard, path, init) {
  const response = await guard(new Request(`http://localhost${path}`, init))
  return { status: response.status, header: (name) => response.headers.get(name), body: await response.json() }
}

/** The name of the twin of a function. */
export const twinOf = (name) => `safe${name[0].toUpperCase()}${name.slice(1)}`

/** What a call throws or rejects with. It fails if the call does neither. */
export async function thrown(call) {
  try {
    await call()
  } catch (error) {
    return error
  }
  return assert.fail(`expected an error of ${call}`)
}

/** The issues of an error, each as `code path`. It fails if the error is another one. */
export function issuesOf(error) {
  assert(SendoffError.is(error), String(error?.stack))
  return error.issues.map(({ code, path }) => `${code} ${path}`.trim())
}

/** The issues of a call. It fails if the call throws something else, or nothing. */
export function refused(call) {
  try {
    call()
  } catch (error) {
    return issuesOf(error)
  }
  return assert.fail(`expected issues of ${call}`)
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

/** Runs `calls` while all that inherit from this prototype have these properties, and always takes them away again. */
export async function polluted(prototype, properties, calls) {
  for (const [name, property] of Object.entries(properties))
    Object.defineProperty(prototype, name, { __proto__: null, ...property, configurable: true })
  try {
    return await calls()
  } finally {
    for (const name of Object.keys(properties)) delete prototype[name]
  }
}
