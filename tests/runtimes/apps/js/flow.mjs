// A page that signs under the strictest policy: the loop.

import { flow } from 'sendoff/js/flow'
import { backend } from 'sendoff/js/sign'
import given from '../vectors.mjs'

const [request, facts] = given.accepted.args.map((document) => (typeof document === 'string' ? JSON.parse(document) : document))
const { jobManager, paymaster, clientSWA } = facts
const where = { entryPoint: `0x${'ab'.repeat(20)}`, chainId: 1802466136, version: '0.7', gasFeeOrder: 'maxFirst' }

/** Carries a transfer out. */
globalThis.onPage = async () => {
  let stored = null
  const { outcome } = await flow(
    {
      estimate: async () => ({ text: JSON.stringify(given.accepted.ok) }),
      show: () => true,
      sign: async () => `0x${'11'.repeat(65)}`,
      send: async () => Promise.reject({ code: -32504, message: 'throttled' }),
      receipt: async (hash) => ({ userOpHash: hash, success: true }),
      wait: async () => true,
      store: { get: async () => stored, swap: async (_, after) => ((stored = after), true) },
    },
    { request, deployment: { ...where, jobManager, paymaster, clientSWA } },
  )
  if (outcome !== 'succeeded') throw new Error(`expected a transfer, found ${outcome}`)
  return backend()
}
