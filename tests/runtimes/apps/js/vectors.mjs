import * as sendoff from 'sendoff/js'
import * as sign from 'sendoff/js/sign'
import * as signature from 'sendoff/js/signature'
import { run } from '../suite.mjs'
import suites from '../suites.mjs'

/** Runs the vectors with the core in JavaScript, and those of `sendoff/js/sign` with its module too. There is nothing to wait for. */
function vectors() {
  const ofSign = suites.map((suite) => ({ ...suite, cases: suite.cases.filter(({ call }) => call in sign) }))
  const tallies = [
    ...suites.map((suite) => run({ ...signature, ...sendoff }, suite)),
    ...ofSign.filter(({ cases }) => cases.length > 0).map((suite) => run(sign, suite)),
  ]
  const failures = tallies.flatMap(({ failures }) => failures)
  if (failures.length > 0) throw new Error(failures.slice(0, 5).join('\n'))
  return sendoff.backend()
}

if (typeof document === 'object') globalThis.onPage = vectors
else console.log(vectors())
