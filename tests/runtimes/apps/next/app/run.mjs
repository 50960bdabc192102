import * as sendoff from 'sendoff'
import { assertions } from '../../assertions.mjs'
import vectors from '../../vectors.mjs'

export const run = () => assertions(sendoff, vectors)
