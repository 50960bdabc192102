import type { Deployment, EstimateRequest } from 'sendoff/sign'
import { flow, type FlowOutcome, type Program } from 'sendoff/flow'
import { names } from './names.js'
import { close, open, store, wasSent } from './open-transfer.js'
import { bundler, estimate } from './service.js'

/** What the loop asks of the page. */
export interface Page extends Pick<Program, 'show' | 'sign' | 'wait' | 'nonce'> {
  /** The known deployment of the service. */
  readonly deployment: Deployment
}

/** Carries out a transfer, from a request to the receipt. What was sent and is not settled stays open, in the same job. */
export async function carryOut({ deployment, ...page }: Page, request: EstimateRequest): Promise<FlowOutcome> {
  open(request)
  const program: Program = {
    ...page,
    estimate,
    send: (operation) => bundler('eth_sendUserOperation', [operation, deployment.entryPoint]),
    receipt: async (hash) => (await bundler('eth_getUserOperationReceipt', [hash])).result,
    store,
  }
  const result = await flow(program, { request, deployment, names })
  // Only what was sent, and is not settled, goes on in the same job.
  if (result.outcome !== 'open' || !wasSent()) close()
  return result
}
