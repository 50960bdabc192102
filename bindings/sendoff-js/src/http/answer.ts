// The operations that the core answers: the estimate, and the lists of networks and tokens. The gateway answers them alike.

import { estimate, listNetworks, listTokens, permits, safeCheckDocument } from '../index.js'
import type { Catalogue, EstimateRequest, Facts, Issue } from '../index.js'
import { own } from '../own.js'
import type { Passed } from './guard.js'
import { isFunction, type Rules } from './options.js'
import { Refused } from './reply.js'

/** What only the host knows about its callers. */
export interface Answers<Caller = unknown> {
  /**
   * Returns the facts about a caller for a request, whose fields are valid: wallets, policies and fees of the chain, contracts, gas
   * limits.
   */
  facts(passed: Passed<Caller>, request: EstimateRequest): Facts | Promise<Facts>
  /** Returns the chains, tokens and collections that the caller's application may use. */
  catalogue(passed: Passed<Caller>): Catalogue | Promise<Catalogue>
}

/** @internal */
export const ANSWERS: Rules = { facts: isFunction, catalogue: isFunction }

/** A request for {@link answer}. */
export interface Question {
  /** The target or the URL, whose query selects a page of the list of tokens. */
  readonly target: string
  /** Returns the text of the body. It is only called for the estimate. */
  readonly text: () => string | Promise<string>
}

/**
 * Returns the body of the reply to the estimate and to the two lists; undefined for the other operations, which a wallet backend
 * answers.
 *
 * @throws SendoffError for the problems of a request, and {@link Refused} for a chain, token or collection that is not enabled.
 * {@link failureReply} makes the reply.
 *
 * @example
 * ```ts
 * const handle = guardFetch({ scope, limiter }, async (request, passed) => {
 *   const body = await answer(passed, { target: request.url, text: () => request.text() }, { facts, catalogue })
 *   if (!body) throw new Refused({ refused: 'no-backend', operation: passed.operation })
 *   return Response.json(body)
 * })
 * ```
 */
export async function answer<Caller>(
  passed: Passed<Caller>,
  { target, text }: Question,
  answers: Answers<Caller>,
): Promise<object | undefined> {
  switch (passed.operation) {
    case 'estimate': {
      const body = await text()
      const request = readRequest(body)
      expectPermitted(await answers.catalogue(passed), request)
      return estimate(body, await answers.facts(passed, request))
    }
    case 'supportedNetworks':
      return success({ network: listNetworks(await answers.catalogue(passed)) })
    case 'supportedTokens': {
      const [page, size] = [numberOf(target, 'page') ?? 1, numberOf(target, 'size') ?? Infinity]
      const tokens = listTokens(await answers.catalogue(passed))
      // Without a size, the first page has all tokens.
      const before = page === 1 ? 0 : (page - 1) * size
      return success({ tokens: tokens.slice(before, before + size) })
    }
    default:
      return undefined
  }
}

function success(data: object): object {
  return { status: 'success', data }
}

/** The request of a text. The facts are not known yet, so its problems are told first. */
function readRequest(text: string): EstimateRequest {
  const checked = safeCheckDocument('EstimateRequest', text)
  if (checked.ok) return JSON.parse(text) as EstimateRequest
  // Paths of a request start at its root, and those of an argument at its name.
  const issues = checked.issues.map((issue) => ({ ...issue, path: issue.path.replace(/^document\.?/, '') }))
  throw new Refused({ refused: 'bad-request', issues: issues.slice(0, 101) })
}

/**
 * Checks that an application may use what a request moves.
 *
 * @throws {@link Refused} with `not-enabled`.
 *
 * @example
 * ```ts
 * expectPermitted(catalogues.get('shop'), request)
 * ```
 */
export function expectPermitted(catalogue: Catalogue, request: Pick<EstimateRequest, 'type' | 'details'>): void {
  const { type, details } = request
  const [issue] = own(permits(catalogue, { type, details } as Parameters<typeof permits>[1])).issues ?? []
  if (issue) throw new Refused({ refused: 'not-enabled', found: own(issue).found ?? issue.message })
}

/** A number of at least 1 in a query. Other parameters are ignored. */
function numberOf(target: string, name: string): number | undefined {
  const query = target.split('#')[0]?.split(/\?(.*)/s)[1] ?? ''
  const values = query.split('&').flatMap((pair) => {
    const [key, value = ''] = pair.split(/=(.*)/s)
    return key === name ? [value] : []
  })
  const [value] = values
  if (value === undefined) return undefined
  if (values.length === 1 && /^\d+$/.test(value) && /[1-9]/.test(value) && BigInt(value) < 2n ** 64n) return Number(value)
  const message = `expected one integer of at least 1, found ${values.slice(0, 2).map((each) => `\`${each}\``).join(' and ')}`
  const issue: Issue = { path: name, code: 'format', message }
  throw new Refused({ refused: 'bad-request', issues: [issue] })
}
