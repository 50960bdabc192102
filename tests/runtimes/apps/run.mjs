import * as sendoff from 'sendoff'
import * as sign from 'sendoff/sign'
import { both } from './assertions.mjs'
import vectors from './vectors.mjs'

/** The report of an application, which may have another copy of the package. */
export const run = (copy) => both(sendoff, sign, vectors, copy)
