// One side in a process of its own: `node side.mjs ./viem-zod.mjs`. The first line of standard input holds the inputs and
// is answered with the answers of all jobs; each further line is a job and a number of runs, and is answered with the
// nanoseconds that they took.
import { createInterface } from 'node:readline'
import { JOBS, jobsOf, time } from './jobs.mjs'

const jobs = jobsOf(await import(process.argv[2]))
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const inputs = JSON.parse((await lines.next()).value)
console.log(JSON.stringify(JOBS.map((job) => inputs.map(jobs[job]))))
for await (const line of lines) {
  const [job, count] = line.split(' ')
  console.log(String(time(jobs[job], inputs, Number(count))))
}
