import { run } from '../run.mjs'

export default {
  fetch: async () => Response.json(await run()),
}
