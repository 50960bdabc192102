// The three jobs, made of what a side can do:
//
// - `both`: request text in, reply text and user operation hash out;
// - `host`: request text in, reply text out, as a backend does for each estimate;
// - `client`: a request, the text of its reply and the deployment in, the digest to sign out, as a page does before it signs.

export const JOBS = ['both', 'host', 'client']

/** The jobs of a side, each for one input. A side may have a faster way for a host. */
export const jobsOf = ({ estimate, userOpHash, client, host }) => ({
  both: ({ text, facts, at }) => {
    const reply = estimate(text, facts)
    return [JSON.stringify(reply), userOpHash(reply.data.userOps, at)]
  },
  host: host ?? (({ text, facts }) => JSON.stringify(estimate(text, facts))),
  client: ({ request, reply, deployment }) => client(request, reply, deployment),
})

/** The time of so many runs of a job, in nanoseconds; the inputs take turns. */
export function time(job, inputs, count) {
  const start = performance.now()
  for (let n = 0; n < count; n += 1) job(inputs[n % inputs.length])
  return (performance.now() - start) * 1e6
}

/** An answer by its meaning: the order of keys is nobody's. */
export function meaning(answer) {
  const parts = [answer].flat().map((part) => (part.startsWith('{') ? sorted(JSON.parse(part)) : part))
  return JSON.stringify(parts)
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
}
