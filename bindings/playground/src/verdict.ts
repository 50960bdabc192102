// The verdict on a reply.

import { make, prose, the, write } from './page.js'

/** Shows `Verified` or `Refused`, and its consequence. */
export function showVerdict(isVerified: boolean, rest: string): void {
  const word = isVerified ? 'Verified' : 'Refused'
  the('verdict').className = `verdict ${word.toLowerCase()}`
  write(the('verdict'), make('strong', '', word), ...prose(rest))
}
