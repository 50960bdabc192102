import * as sendoff from 'sendoff'
import * as sign from 'sendoff/sign'
import { both } from '../assertions.mjs'
import vectors from '../vectors.mjs'
// A dependency of the application that requires the package as CommonJS.
import copy from './dependency.cjs'

both(sendoff, sign, vectors, copy).then((report) => console.log(JSON.stringify(report)))
