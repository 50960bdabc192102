import * as sendoff from 'sendoff'
import * as sign from 'sendoff/sign'
import { both } from '../assertions.mjs'
import { calls } from '../calls.mjs'
import vectors from '../vectors.mjs'

/** Called by the test: MSW's worker, whose handler is the pocket service, and `sendoff`. */
globalThis.onPage = async () => {
  // Not before: a page that is not ready at once would be asked again by a string, which its policy forbids.
  await import('./worker.mjs')
  const passed = await calls(fetch, 'https://wallet.example')
  const report = await both(sendoff, sign, vectors)
  return { ...report, passed: report.passed + passed }
}
