// Measures the estimate over HTTP, by servers with equal answers: `node bench/http.mjs NAME URL PID NAME URL PID …`.
// The servers take turns in one run, so that other load on the machine affects all of them equally. wrk (a package of Debian)
// generates the load, because a generator in Node is slower than the servers.
//
// Load generator and server share the machine, so requests per second of the server's processor time are more meaningful than
// requests per second. TOKEN, CONNECTIONS, ROUNDS and ROUND_SECONDS have defaults.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
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
  sides.push({ name, url: new URL(TARGET, base), pid, rounds: [] })
}
const remote = sides.find(({ url }) => url.hostname !== '127.0.0.1')
if (remote) throw new Error(`expected servers on 127.0.0.1, found ${remote.url}`)

const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
}

/** The answer of a server to the job, to check that all servers do the same. */
async function answer({ name, url }) {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: BODY })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${name} answers ${response.status}: ${text}`)
  return JSON.stringify(sorted(JSON.parse(text)))
}

const ticks = Number((await run('getconf', ['CLK_TCK'])).stdout)

/** The processor time of a process so far, in seconds. Its name, in brackets, may contain any character. */
function cpu(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [fields[11], fields[12]].map(Number)
  return (user + system) / ticks
}

/** One round of load. */
async function load({ url, pid }, seconds) {
  const wrk = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', '-s', here('http.lua'), String(url)]
  const before = cpu(pid)
  const { stdout } = await run('wrk', wrk, { env: { ...process.env, TOKEN, BODY } }).catch((cause) => {
    throw cause.code === 'ENOENT' ? new Error('expected wrk, as in `apt-get install wrk`', { cause }) : cause
  })
  const used = cpu(pid) - before
  const { requests, seconds: took, failed, p50, p99 } = JSON.parse(stdout.trim().split('\n').at(-1))
  if (failed > 0) throw new Error(`${failed} of ${requests} requests to ${url} failed`)
  const latency = { p50: p50 / 1000, p99: p99 / 1000 }
  return { perSecond: requests / took, ...latency, perCpuSecond: requests / used, cores: used / took }
}

const answers = await Promise.all(sides.map(answer))
const other = answers.findIndex((text) => text !== answers[0])
if (other > 0) throw new Error(`${sides[other].name} answers differently:\n${answers[other]}\n${answers[0]}`)
console.log(`The same answer from all; ${ROUNDS} rounds of ${ROUND_SECONDS} s with ${CONNECTIONS} connections, medians\n`)
for (const side of sides) await load(side, 1)
for (let round = 0; round < Number(ROUNDS); round += 1) {
  for (const side of sides) side.rounds.push(await load(side, Number(ROUND_SECONDS)))
}

const median = (side, figure) => side.rounds.map((round) => round[figure]).sort((a, b) => a - b)[side.rounds.length >> 1]
const perCpuSecond = 'requests per CPU second'
const columns = { perSecond: 'requests/s', p50: 'p50 ms', p99: 'p99 ms', cores: 'cores used', perCpuSecond }
const width = Math.max(...sides.map(({ name }) => name.length))
console.log([' '.repeat(width), ...Object.values(columns)].join('  '))
for (const side of sides) {
  const cells = Object.entries(columns).map(([figure, title]) => {
    const value = median(side, figure)
    return value.toFixed(value < 100 ? 2 : 0).padStart(title.length)
  })
  console.log([side.name.padEnd(width), ...cells].join('  '))
}
