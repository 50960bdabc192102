// The state of one intent in a store, step by step. A store is an object of two functions: `get(intent)` returns the stored text
// or null, and `swap(intent, before, after)` stores `after` only if `before` is still stored, and returns whether it did.

import { submission } from 'sendoff'

const same = (one, other) => one.toLowerCase() === other.toLowerCase()

/**
 * Takes a step of the job's submission, and returns `{state, verdict}`. Returns null if the stored state is another job's: then
 * another tab or process was faster, and the step is void.
 */
export async function take(store, intent, jobId, step) {
  for (;;) {
    const before = await store.get(intent)
    let state = before === null ? null : JSON.parse(before)

    if (state !== null && !same(state.jobId, jobId)) {
      // Only a phase with the verdict `newJob` makes room for another job.
      if (state.phase !== 'expired' || step.type !== 'sent') return null
      state = null
    }

    const next = submission(state, step)
    const after = JSON.stringify(next.state)
    if (after === before || (await store.swap(intent, before, after))) return next
  }
}

/**
 * Sends an operation, for the first time or again, or in the place of another (`type`). `post` sends it and resolves to the body of
 * the reply. Returns null if it was not sent, because the verdict does not allow it.
 */
export async function send(store, intent, { type = 'sent', jobId, hash, validUntil = 0 }, post) {
  const taken = await take(store, intent, jobId, { type, jobId, hash, validUntil })
  if (taken?.verdict !== 'mayHaveHappened') return null

  const reply = await post().catch(() => undefined)
  const answered = reply && { type: 'answered', reply }
  // A body that is not a reply of the service says nothing.
  return take(store, intent, jobId, answered ?? { type: 'brokenOff' }).catch(() => take(store, intent, jobId, { type: 'brokenOff' }))
}
