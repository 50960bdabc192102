// The verdict on a reply.

import { make, prose, the, write } from './page.js'

/** Shows `Verified` or `Refused`, its reason and its consequence, and small print. */
export function showVerdict(isVerified: boolean, rest: string, ...small: HTMLElement[]): void {
  const word = isVerified ? 'Verified' : 'Refused'
  the('verdict').className = `verdict ${word.toLowerCase()}`
  write(the('verdict'), make('strong', '', word), ...prose(rest), ...small)
}
