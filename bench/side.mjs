// Runs the jobs of one library: `node side.mjs ./viem-zod.mjs`. The first line of standard input contains the inputs, and the
// output is the answers of all jobs. Each further line is a job and a number of runs, and the output is their time in nanoseconds.
import { createInterface } from 'node:readline'
import { JOBS, jobsOf, json, time } from './jobs.mjs'

const jobs = { ...jobsOf(await import(process.argv[2])), json }
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const inputs = JSON.parse((await lines.next()).value)
console.log(JSON.stringify(JOBS.map((job) => inputs.map(jobs[job]))))
for await (const line of lines) {
  const [job, count] = line.split(' ')
  console.log(String(time(jobs[job], inputs, Number(count))))
}
