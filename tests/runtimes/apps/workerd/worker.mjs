import * as sendoff from 'sendoff'
import { assertions } from '../assertions.mjs'
import vectors from '../vectors.mjs'

export default {
  fetch: async () => Response.json(await assertions(sendoff, vectors)),
}
