import * as copy from 'sendoff'
import * as sendoff from 'sendoff/url'
import { assertions } from '../assertions.mjs'
import vectors from '../vectors.mjs'

console.log(JSON.stringify(await assertions(sendoff, vectors, copy)))
