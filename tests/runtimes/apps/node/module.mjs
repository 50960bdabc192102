import { createRequire } from 'node:module'
import { run } from '../run.mjs'

console.log(JSON.stringify(await run(createRequire(import.meta.url)('sendoff'))))
