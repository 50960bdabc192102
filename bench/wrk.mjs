// Load by wrk (a package of Debian), and the processor time that servers use under it. A generator in Node is slower than the servers.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
const here = (path) => new URL(path, import.meta.url).pathname
const ticks = Number((await run('getconf', ['CLK_TCK'])).stdout)

/** The processor time of processes so far, in seconds. A name, in brackets, may contain any character. */
function cpu(pids) {
  const used = pids.map((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticks
  })
  return used.reduce((sum, seconds) => sum + seconds, 0)
}

/** One round of load on servers of these processes. */
export async function load({ url, pids, body, token }, seconds, connections) {
  const wrk = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', here('http.lua'), String(url)]
  const before = cpu(pids)
  const { stdout } = await run('wrk', wrk, { env: { ...process.env, TOKEN: token, BODY: body } }).catch((cause) => {
    throw cause.code === 'ENOENT' ? new Error('expected wrk, as in `apt-get install wrk`', { cause }) : cause
  })
  const used = cpu(pids) - before
  const { requests, seconds: took, failed, p50, p99 } = JSON.parse(stdout.trim().split('\n').at(-1))
  if (failed > 0) throw new Error(`${failed} of ${requests} requests to ${url} failed`)
  const figures = { perSecond: requests / took, p50: p50 / 1000, p99: p99 / 1000, cores: used / took }
  return { ...figures, micros: (used / requests) * 1e6 }
}

/** Loads the sides in turns, each once before it counts, and returns the median of a figure for a side. */
export async function turns(sides, rounds, seconds, connections) {
  for (const side of sides) await load(side, 1, connections)
  for (const side of sides) side.rounds = []
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) side.rounds.push(await load(side, seconds, connections))
  }
  return (side, figure) => side.rounds.map((round) => round[figure]).sort((a, b) => a - b)[side.rounds.length >> 1]
}

/** Prints the medians of figures, with their titles. */
export function table(sides, median, columns) {
  const width = Math.max(...sides.map(({ name }) => name.length))
  console.log([' '.repeat(width), ...Object.values(columns)].join('  '))
  for (const side of sides) {
    const cells = Object.entries(columns).map(([figure, title]) => {
      const value = median(side, figure)
      return value.toFixed(value < 100 ? 2 : 0).padStart(title.length)
    })
    console.log([side.name.padEnd(width), ...cells].join('  '))
  }
}
