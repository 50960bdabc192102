import { createRequire } from 'node:module'
import * as sendoff from 'sendoff'
import * as sign from 'sendoff/sign'
import { both } from '../assertions.mjs'
import vectors from '../vectors.mjs'

console.log(JSON.stringify(await both(sendoff, sign, vectors, createRequire(import.meta.url)('sendoff'))))
