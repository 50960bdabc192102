import { run } from '../run.mjs'

export default { fetch: async () => new Response(await run()) }
