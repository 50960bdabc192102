// The three jobs:
//
// - `both`: from the text of a request to the text of the reply and the hash of the user operation;
// - `host`: from the text of a request to the text of the reply, as a backend does for each estimate;
// - `client`: from a request, the text of its reply and the deployment to the digest to sign, as a page does before it signs.

export const JOBS = ['both', 'host', 'client']

/** The jobs of a library, each for one input. A library may have a faster function for a host. */
export const jobsOf = ({ estimate, userOpHash, client, host }) => ({
  both: ({ text, facts, at }) => {
    const reply = estimate(text, facts)
    return [JSON.stringify(reply), userOpHash(reply.data.userOps, at)]
  },
  host: host ?? (({ text, facts }) => JSON.stringify(estimate(text, facts))),
  client: ({ request, reply, deployment }) => client(request, reply, deployment),
})

/** What `both` asks of JavaScript by itself: the reply as an object, and its text again. */
export const json = ({ reply }) => JSON.stringify(JSON.parse(reply))

/** The time of `count` runs of a job in nanoseconds. The inputs take turns. */
export function time(job, inputs, count) {
  const start = performance.now()
  for (let n = 0; n < count; n += 1) job(inputs[n % inputs.length])
  return (performance.now() - start) * 1e6
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
