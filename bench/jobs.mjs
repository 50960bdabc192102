// The three jobs:
//
// - `both`: from the text of a request to the text of the reply and the hash of the user operation;
// - `host`: from the text of a request to the text of the reply, as a backend does for each estimate;
// - `client`: from a request, the text of its reply and the deployment to the digest to sign, as a page does before it signs.

export const JOBS = ['both', 'host', 'client']

/** The jobs of a library, each for one input. A library may have a faster function for a host. */
const jobsOf = ({ estimate, userOpHash, client, host }) => ({
  both: ({ text, facts, at }) => {
    const reply = estimate(text, facts)
    return [JSON.stringify(reply), userOpHash(reply.data.userOps, at)]
  },
  host: host ?? (({ text, facts }) => JSON.stringify(estimate(text, facts))),
  client: ({ request, reply, deployment }) => client(request, reply, deployment),
})

/**
 * What a library is asked, line by line. The first line has the inputs, and the answer is those of all jobs. Each further line is a job and
 * a number of runs, for which the inputs take turns, and the answer is their time in nanoseconds.
 */
export function asked(library) {
  const jobs = jobsOf(library)
  let inputs
  return (line) => {
    if (!inputs) {
      inputs = JSON.parse(line)
      return JSON.stringify(JOBS.map((job) => inputs.map(jobs[job])))
    }
    const [job, count] = line.split(' ')
    const start = performance.now()
    for (let n = 0; n < Number(count); n += 1) jobs[job](inputs[n % inputs.length])
    return String((performance.now() - start) * 1e6)
  }
}

/** An answer with sorted keys, because key order has no meaning. */
export function meaning(answer) {
  const parts = [answer].flat().map((part) => (part.startsWith('{') ? sorted(JSON.parse(part)) : part))
  return JSON.stringify(parts)
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
}
