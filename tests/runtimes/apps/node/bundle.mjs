import * as sendoff from 'sendoff'
import { assertions } from '../assertions.mjs'
import vectors from '../vectors.mjs'
// A dependency of the application that still requires what the application imports.
import copy from './dependency.cjs'

assertions(sendoff, vectors, copy).then((report) => console.log(JSON.stringify(report)))
