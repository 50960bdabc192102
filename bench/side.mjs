// Runs the jobs of one library: `node side.mjs ./viem-zod.mjs` answers each line of standard input with one.
import { createInterface } from 'node:readline'
import { asked } from './jobs.mjs'

const ask = asked(await import(process.argv[2]))
for await (const line of createInterface({ input: process.stdin })) console.log(ask(line))
