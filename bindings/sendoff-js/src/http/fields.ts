import type { Policy, Verdict } from '../index.js'

/**
 * What is told of a limit, and of what is left of it. Source: draft-ietf-httpapi-ratelimit-headers.
 *
 * @internal
 */
export function rateLimitFields({ limit, windowMs }: Policy, verdict: Verdict): { readonly [name: string]: string } {
  // The draft knows only whole seconds.
  const window = windowMs % 1000 === 0 ? `;w=${windowMs / 1000}` : ''
  const [left, reset] = verdict.admitted ? [verdict.remaining, verdict.resetAfter] : [0, verdict.retryAfter]
  return { 'ratelimit-policy': `"sendoff";q=${limit}${window}`, ratelimit: `"sendoff";r=${left};t=${reset}` }
}
