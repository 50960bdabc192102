// Measures the estimate over HTTP, by servers with equal answers: `node bench/http.mjs NAME URL PID NAME URL PID …`.
// The servers take turns in one run, so that other load on the machine affects all of them equally.
//
// Load generator and server share the machine, so requests per second of the server's processor time are more meaningful than
// requests per second. TOKEN, CONNECTIONS, ROUNDS and ROUND_SECONDS have defaults.
import { readFileSync } from 'node:fs'
import { meaning } from './jobs.mjs'
import { table, turns } from './wrk.mjs'

const here = (path) => new URL(path, import.meta.url).pathname
const { TOKEN = 'demo-token', CONNECTIONS = '32', ROUNDS = '5', ROUND_SECONDS = '3' } = process.env
const BODY = JSON.stringify(JSON.parse(readFileSync(here('../tests/demo/request.json'), 'utf8')))
const TARGET = '/api/oc/v1/estimate'

const args = process.argv.slice(2)
if (args.length < 6 || args.length % 3 !== 0) {
  console.error('usage: node bench/http.mjs NAME URL PID NAME URL PID …')
  process.exit(2)
}
const sides = []
while (args.length > 0) {
  const [name, base, pid] = args.splice(0, 3)
  sides.push({ name, url: new URL(TARGET, base), pids: [pid], body: BODY, token: TOKEN })
}
const remote = sides.find(({ url }) => url.hostname !== '127.0.0.1')
if (remote) throw new Error(`expected servers on 127.0.0.1, found ${remote.url}`)

/** The answer of a server to the job, to check that all servers do the same. */
async function answer({ name, url }) {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: BODY })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${name} answers ${response.status}: ${text}`)
  return meaning(text)
}

const answers = await Promise.all(sides.map(answer))
const other = answers.findIndex((text) => text !== answers[0])
if (other > 0) throw new Error(`${sides[other].name} answers differently:\n${answers[other]}\n${answers[0]}`)
console.log(`The same answer from all; ${ROUNDS} rounds of ${ROUND_SECONDS} s with ${CONNECTIONS} connections, medians\n`)
const median = await turns(sides, Number(ROUNDS), Number(ROUND_SECONDS), CONNECTIONS)
const perCpuSecond = 'requests per CPU second'
table(sides, median, { perSecond: 'requests/s', p50: 'p50 ms', p99: 'p99 ms', cores: 'cores used', perCpuSecond })
