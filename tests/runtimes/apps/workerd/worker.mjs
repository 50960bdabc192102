import * as sendoff from 'sendoff'
import * as sign from 'sendoff/sign'
import { both } from '../assertions.mjs'
import vectors from '../vectors.mjs'

export default {
  fetch: async () => Response.json(await both(sendoff, sign, vectors)),
}
