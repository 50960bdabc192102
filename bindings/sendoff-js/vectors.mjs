// node vectors.mjs [FILE|FOLDER…]: the suites through this package, by the backend that SENDOFF_BACKEND names.

import * as sendoff from './dist/index.mjs'
import { report, run } from './suite.mjs'
import { suites } from './suite-files.mjs'

const tallies = suites(process.argv.slice(2)).map((suite) => run(sendoff, suite))
process.exitCode = report(tallies) ? 0 : 1
