// One side in a process of its own: `node side.mjs ./viem-zod.mjs`. The first line of standard input holds the jobs and is
// answered with what they come to; each further line is a number of jobs and is answered with the nanoseconds they took.
import { createInterface } from 'node:readline'

const { estimate, userOpHash } = await import(process.argv[2])
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { jobs, at } = JSON.parse((await lines.next()).value)
const inputs = jobs.map(([request, facts]) => [request, JSON.parse(facts)])
const job = ([request, facts]) => {
  const reply = estimate(request, facts)
  return [JSON.stringify(reply), userOpHash(reply.data.userOps, at)]
}
console.log(JSON.stringify(inputs.map(job)))
for await (const count of lines) {
  const start = process.hrtime.bigint()
  for (let n = 0; n < Number(count); n += 1) job(inputs[n % inputs.length])
  console.log(String(process.hrtime.bigint() - start))
}
