// The estimate, from request to signature.

import { document, reply as judged } from './argument.js'
import { ask } from './backend.js'
import type { Deployment, Document, EstimateReply, EstimateRequest, Facts, Signable, Verification } from './types.js'

/**
 * The success reply to an estimate request: its user operation, prepared.
 *
 * @throws {@link SendoffError} with every problem of the request and, under `facts.`, of the facts.
 */
export function estimate(request: Document<EstimateRequest>, facts: Document<Facts>): EstimateReply {
  return ask('estimate', document(request), document(facts, 'facts'))
}

/**
 * Holds a reply against the request that it should answer. Values compare by meaning: the letter case of hex and UUIDs
 * and the order of keys do not count. Whatever is wrong with the reply is a finding, and never an exception.
 *
 * @throws {@link SendoffError} with every problem of the request.
 */
export function verifyEstimate(request: Document<EstimateRequest>, reply: unknown): Verification {
  return ask('verifyEstimate', document(request), judged(reply))
}

/**
 * What to sign, and what the signature will do. It answers only where {@link verifyEstimate} finds nothing and the
 * reply is for the deployment: what is signed is what was asked for.
 *
 * @throws {@link SendoffError} with every problem of the request and, under `where.`, of the deployment; where these
 * are fine, with an issue of code `rule` at the path of each finding.
 *
 * @example
 * ```ts
 * const { hash, account } = signable(request, reply, where)
 * if (await confirm(account.call.moves)) signature = await wallet.signMessage({ message: { raw: hash } })
 * ```
 */
export function signable(request: Document<EstimateRequest>, reply: unknown, where: Document<Deployment>): Signable {
  return ask('signable', document(request), judged(reply), document(where, 'where'))
}
