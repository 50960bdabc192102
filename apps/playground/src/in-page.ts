// The service in the page: the core answers behind the same guard as in a server, with the demo's facts and a small limit.
// So the page needs no server but one for files.

import { estimate, RateLimiter, type EstimateRequest } from 'sendoff'
import { guardFetch, passed } from 'sendoff/http'
import facts from '../../../tests/demo/facts.json'
import { CHAINS } from './chains.js'

/** Small, so that a person sees a window fill up and end. */
const policy = { limit: 5, windowMs: 10_000 }
const limit = { limiter: new RateLimiter(policy), advertise: policy }

/** Answers a request as a service would. */
export const answerInPage = guardFetch({ scope: () => 'page', ...limit }, async (request) => {
  switch (passed(request).operation) {
    case 'estimate':
      return Response.json(answer(await request.text()))
    case 'supportedNetworks':
      return success({ network: [...CHAINS].map(([id, { name }]) => ({ chain_id: id.replace('eip155:', ''), network_name: name })) })
    case 'supportedTokens':
      return success({ tokens: [] })
    default:
      return success({})
  }
})

/** The reply to an estimate. The demo's fee is that of its own chain. */
export function answer(body: string) {
  const { details }: EstimateRequest = JSON.parse(body)
  const { fees, ...rest } = facts
  return estimate(body, JSON.stringify(details.caip2Id in fees.transactionFees ? facts : rest))
}

const success = (data: object) => Response.json({ status: 'success', data })
