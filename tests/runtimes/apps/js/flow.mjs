// A page that signs under the strictest policy: the loop and what the page calls beside it, with one core.
import { flow } from 'sendoff/js/flow'
import { operationPath } from 'sendoff/js/sign'
import given from '../vectors.mjs'

const [request, facts] = given.accepted.args.map((document) => (typeof document === 'string' ? JSON.parse(document) : document))
const { jobManager, paymaster, clientSWA } = facts
const where = { entryPoint: `0x${'ab'.repeat(20)}`, chainId: 1802466136, version: '0.7', gasFeeOrder: 'maxFirst' }

/** Carries a transfer out, and returns what was asked of whom. */
globalThis.transferred = async () => {
  let stored = null
  const seen = []
  const { outcome } = await flow(
    {
      estimate: async () => (seen.push(operationPath('estimate', {})), { text: JSON.stringify(given.accepted.ok) }),
      show: ({ warnings }) => seen.push(warnings.length) > 0,
      sign: async () => `0x${'11'.repeat(65)}`,
      send: async () => Promise.reject({ code: -32504, message: 'throttled' }),
      receipt: async (hash) => ({ userOpHash: hash, success: true }),
      wait: async () => true,
      store: { get: async () => stored, swap: async (_, after) => ((stored = after), true) },
    },
    { request, deployment: { ...where, jobManager, paymaster, clientSWA } },
  )
  return [outcome, ...seen].join(' ')
}
