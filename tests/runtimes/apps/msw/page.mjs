import * as sendoff from 'sendoff'
import * as sign from 'sendoff/sign'
import { both } from '../assertions.mjs'
import { calls } from '../calls.mjs'
import vectors from '../vectors.mjs'
import './worker.mjs'

/** Called by the test: MSW's worker, whose handler is the pocket service, and `sendoff`. */
globalThis.onPage = async () => {
  const passed = await calls(fetch, 'https://wallet.example')
  const report = await both(sendoff, sign, vectors)
  return { ...report, passed: report.passed + passed }
}
