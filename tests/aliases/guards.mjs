// The corpus of aliases, through hosts with a guard: requests that reach a handler were counted for its operation.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATIONS, RateLimiter } from 'sendoff'
import { requests, send, versions } from './support/corpus.mjs'
import { hosts, serve } from './support/hosts.mjs'
import { idOf, ledger } from './support/ledger.mjs'

/** The guard's options, with a window for each request and operation. */
export function guarded({ counted }) {
  const limiter = new RateLimiter({ limit: 1_000, windowMs: 300_000 })
  const onVerdict = ({ scope, verdict }) => verdict.admitted && counted(...scope.split(' '))
  const scope = (request, operation) => `${idOf(request.req?.header?.() ?? request.headers)} ${operation}`
  return { limiter, onVerdict, scope, others: 'ignore' }
}

for (const isHttp2 of versions) {
  const over = isHttp2 ? ', HTTP/2' : ''
  for (const name of Object.keys(hosts)) {
    test(`${name}${over}: requests that reach a handler were counted`, async (t) => {
      const book = ledger()
      const host = await serve(t, name, isHttp2, { options: guarded(book), reached: book.reached })
      if (!host) return t.skip('it takes HTTP/1.1 only')
      book.balance(t, await send(requests(host), host, isHttp2))
    })
  }
}

// The deliberate fault. It shows that the corpus has spellings that the router accepts.
for (const name of Object.keys(hosts)) {
  test(`${name}: a limit by the text of a path is found to miss calls`, async (t) => {
    const book = ledger()
    const paths = new Map(OPERATIONS.map(({ id, path }) => [path.replace(/\{\w+\}/, 'u1'), id]))
    const before = ({ url, headers }) => {
      const operation = paths.get(url.split('?')[0])
      if (operation) book.counted(idOf(headers), operation)
    }
    const host = await serve(t, name, false, { before, reached: book.reached })
    await send(requests(host), host, false)
    const { uncounted, reached } = book.totals()
    assert(uncounted.length > 0)
    t.diagnostic(`${uncounted.length} of ${reached} calls uncounted`)
  })
}
