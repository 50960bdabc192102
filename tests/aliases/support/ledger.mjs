// What was counted and what was reached.

import assert from 'node:assert/strict'
import { OPERATIONS } from 'sendoff'

const LIMITED = new Set(OPERATIONS.filter(({ limited }) => limited).map(({ id }) => id))

/** The id of a request. */
export const idOf = (headers) => headers['x-request-id']

/** Pairs of a request's id and an operation: those that were counted, and those whose handler was reached. */
export function ledger() {
  const [counted, reached] = [new Map(), new Map()]
  const into = (map, id, operation) => map.set(`${id} ${operation}`, (map.get(`${id} ${operation}`) ?? 0) + 1)
  const totals = () => {
    const limited = [...reached].filter(([pair]) => LIMITED.has(pair.split(' ')[1]))
    const uncounted = limited.filter(([pair, times]) => times > (counted.get(pair) ?? 0)).map(([pair]) => pair)
    return { uncounted, reached: limited.reduce((sum, [, times]) => sum + times, 0) }
  }
  return {
    counted: (id, operation) => into(counted, id, operation),
    reached: (operation, headers) => into(reached, idOf(headers), operation),
    totals,
    /** Fails if a handler was reached by a call that was not counted for its operation. */
    balance(t, sent) {
      const { uncounted, reached } = totals()
      assert.deepEqual(uncounted, [])
      // Each operation as it is, at least.
      assert(reached >= LIMITED.size, `${reached} calls reached a handler`)
      t.diagnostic(`${sent} requests, ${reached} calls reached a handler, 0 uncounted`)
    },
  }
}
