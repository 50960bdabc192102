import { run } from '../run.mjs'

export const dynamic = 'force-dynamic'

export const GET = async () => Response.json(await run())
