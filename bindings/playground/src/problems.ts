// What the core finds wrong with the form.

import { readBearer, SendoffError, signable, verifyEstimate, type Issue } from 'sendoff'

/** What the core refuses an input for; nothing where it answers. */
export function issuesOf(ask: () => unknown): readonly Issue[] {
  try {
    ask()
    return []
  } catch (error) {
    if (!SendoffError.is(error)) throw error
    return error.issues
  }
}

/** Every problem of the three, by the paths of the fields. */
export function problems(token: string, request: string, deployment: string): readonly Issue[] {
  const ofToken = token ? issuesOf(() => readBearer(`Bearer ${token}`)) : []
  // Without a reply: what is wrong with that is a finding, and no problem of the request.
  const ofRequest = issuesOf(() => verifyEstimate(request, {}))
  const ofBoth = issuesOf(() => signable(request, {}, deployment))
  return [
    ...ofToken.map((issue) => ({ ...issue, path: 'token' })),
    ...ofBoth.filter(({ path }) => path.startsWith('where.')),
    ...ofRequest,
  ]
}
