// The problems that the core finds in the form.

import { readBearer, SendoffError, signable, verifyEstimate, type Issue } from 'sendoff'

/** The core's issues with an input; an empty list if it answers. */
export function issuesOf(ask: () => unknown): readonly Issue[] {
  try {
    ask()
    return []
  } catch (error) {
    if (!SendoffError.is(error)) throw error
    return error.issues
  }
}

/** All problems of the three documents, by the paths of the fields. */
export function problems(token: string, request: string, deployment: string): readonly Issue[] {
  const ofToken = token ? issuesOf(() => readBearer(`Bearer ${token}`)) : []
  // Without a reply, because its problems are findings, not issues of the request.
  const ofRequest = issuesOf(() => verifyEstimate(request, {}))
  const ofBoth = issuesOf(() => signable(request, {}, deployment))
  return [
    ...ofToken.map((issue) => ({ ...issue, path: 'token' })),
    ...ofBoth.filter(({ path }) => path.startsWith('where.')),
    ...ofRequest,
  ]
}
