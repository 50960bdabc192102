import * as sendoff from 'sendoff'
import * as sign from 'sendoff/sign'
import { checked } from './assertions.mjs'
import vectors from './vectors.mjs'

/** The backend of an application, in which all assertions hold. */
export const run = () => checked(sendoff, sign, vectors)
