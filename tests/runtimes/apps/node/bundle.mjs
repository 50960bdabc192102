import { run } from '../run.mjs'
// A dependency of the application that requires the package as CommonJS.
import copy from './dependency.cjs'

run(copy).then((report) => console.log(JSON.stringify(report)))
