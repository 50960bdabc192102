// A transfer by `sendoff/flow`, and all that is around it.

import { estimate, userOpHash } from 'sendoff'
import { deployment, facts } from './help.mjs'

const { entryPoint, chainId, version, gasFeeOrder } = deployment
export const hashOf = (operation) => userOpHash(operation, { entryPoint, chainId, version, gasFeeOrder })
export const SIGNATURE = `0x${'11'.repeat(64)}1b`

/** A receipt of the pocket kind. */
export const receiptOf = (hash, more) => ({ userOpHash: hash, success: true, actualGasCost: '0x64', actualGasUsed: '0x5', ...more })

/**
 * Everything around the loop. `answers` are those to `send`, in order; then the bundler takes the operation and executes it.
 * `estimates` change the facts of each estimate.
 */
export function world({ answers = [], estimates = () => ({}), waits = 50, ...more } = {}) {
  const seen = { estimates: [], sent: [], shown: [], signed: 0, waits: 0, stored: null, executed: undefined, jobs: new Set(), log: [] }
  const program = {
    estimate: async (asked) => {
      seen.log.push('estimate')
      seen.estimates.push(asked)
      seen.jobs.add(asked.jobId)
      return { text: JSON.stringify(estimate(asked, { ...facts, ...estimates(seen.estimates.length) })) }
    },
    show: ({ hash }) => seen.shown.push(hash) > 0,
    sign: async () => ((seen.signed += 1), SIGNATURE),
    send: async (operation) => {
      seen.log.push('send')
      seen.sent.push(operation)
      const answer = answers.shift()
      if (answer === 'break') throw new Error('the connection broke')
      if (typeof answer === 'function') return answer(operation)
      if (answer) return answer
      seen.executed ??= operation
      return { jsonrpc: '2.0', id: 1, result: hashOf(operation) }
    },
    receipt: async (hash) => {
      seen.log.push('receipt')
      return seen.executed && hashOf(seen.executed) === hash ? receiptOf(hash) : null
    },
    wait: async () => {
      seen.log.push('wait')
      return (seen.waits += 1) <= waits
    },
    store: {
      get: async () => seen.stored,
      swap: async (before, after) => {
        if (seen.stored !== before) return false
        seen.stored = after
        return true
      },
    },
    ...more,
  }
  return { seen, program }
}
