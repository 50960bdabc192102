import * as sendoff from 'sendoff'
import { assertions } from '../assertions.mjs'
import vectors from '../vectors.mjs'

console.log(JSON.stringify(await assertions(sendoff, vectors)))
