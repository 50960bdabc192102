import * as copy from 'sendoff'
import * as sendoff from 'sendoff/url'
import { assertions } from '../assertions.mjs'
import vectors from '../vectors.mjs'

export const run = () => assertions(sendoff, vectors, copy)
