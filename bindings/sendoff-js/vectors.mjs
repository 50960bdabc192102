// node vectors.mjs [FILE|FOLDER…]: runs the suites with this package and the backend that SENDOFF_BACKEND names.

import * as index from './dist/index.mjs'
import * as signature from './dist/signature.mjs'
import { report, run } from './suite.mjs'
import { suites } from './suite-files.mjs'

// The functions of all entries, which share one error class.
const sendoff = { ...signature, ...index }
const tallies = suites(process.argv.slice(2)).map((suite) => run(sendoff, suite))
process.exitCode = report(tallies) ? 0 : 1
