import { run } from '../run.mjs'

console.log(JSON.stringify(await run()))
