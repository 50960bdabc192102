import { run } from '../../../run.mjs'

export const dynamic = 'force-dynamic'

export const GET = async () => new Response(await run())
