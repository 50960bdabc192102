// The transfer of this tab that is not settled, and its submission. A reload keeps both, so that a retry is of the same job. A page
// with several tabs of one account keeps them in IndexedDB instead: see examples/submissions.

import type { EstimateRequest } from 'sendoff/sign'

const [REQUEST, STATE] = ['request', 'state']

/** The request that is open, if there is one. */
export function openRequest(): EstimateRequest | undefined {
  const text = sessionStorage.getItem(REQUEST)
  return text === null ? undefined : JSON.parse(text)
}

/** Opens a transfer: a request with a job of its own. */
export function open(request: EstimateRequest): void {
  sessionStorage.setItem(REQUEST, JSON.stringify(request))
}

/** Forgets a transfer that is settled, or that was never sent. */
export function close(): void {
  sessionStorage.clear()
}

/** `true` if an operation of the transfer may have been sent. */
export const wasSent = () => sessionStorage.getItem(STATE) !== null

/** The store of the submission. No other tab can write it. */
export const store = {
  get: async () => sessionStorage.getItem(STATE),
  swap: async (before: string | null, after: string) => {
    const isSame = sessionStorage.getItem(STATE) === before
    if (isSame) sessionStorage.setItem(STATE, after)
    return isSame
  },
}
