import { run } from '../run.mjs'

export const runtime = 'edge'

export const GET = async () => Response.json(await run())
