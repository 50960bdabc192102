import { calls } from '../calls.mjs'
import { run } from '../run.mjs'

/** Called by the test: MSW's worker, whose handler is the pocket service, and `sendoff`. */
globalThis.onPage = async () => {
  // Not before: a page that is not ready at once would be asked again by a string, which its policy forbids.
  await import('./worker.mjs')
  await calls(fetch, 'https://wallet.example')
  return run()
}
