import { run } from '../../../run.mjs'

export const runtime = 'edge'

export const GET = async () => new Response(await run())
