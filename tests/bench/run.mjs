// `cargo xtask bench`: the three jobs of jobs.mjs, by each side in a process of its own. They take turns, so that other
// load on the machine affects all alike; the ratios are the figures. `floor` is the digests that no side can do without.
// What was measured is left in README.md beside this file, and in docs/pictures for the plot.
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { createInterface } from 'node:readline'
import { inputs } from './inputs.mjs'
import { JOBS, meaning } from './jobs.mjs'
import { inChromium } from './page.mjs'
import { onRedis } from './redis.mjs'

const here = (path) => new URL(path, import.meta.url).pathname
const node = (module, backend) => [process.execPath, [here('side.mjs'), module], { ...process.env, SENDOFF_BACKEND: backend }]
const sides = {
  'sendoff, core in Rust': [here('../../target/release/bench'), [], process.env],
  'sendoff, native in Node': node('./sendoff.mjs', 'native'),
  'sendoff, wasm in Node': node('./sendoff.mjs', 'wasm'),
  'ox + valibot': node('./ox-valibot.mjs', ''),
  'viem + zod': node('./viem-zod.mjs', ''),
}
const [ROUNDS, COUNT] = [25, 400]
/** What a side in JavaScript cannot be faster than, whatever it computes in. */
const REPLY = 'JSON.parse and JSON.stringify of the reply'

const start = ([program, args, env]) => {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (line) => {
    child.stdin.write(`${line}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error(`${program} ${args.join(' ')} ended early`)
    return value
  }
  return { ask, end: () => child.stdin.end() }
}

const running = Object.entries(sides).map(([name, side]) => ({ name, ...start(side) }))
const [core, ...others] = running
for (const side of running) {
  const answers = JSON.parse(await side.ask(JSON.stringify(inputs)))
  side.answers = answers.map((answers) => answers.map(meaning))
}
for (const { name, answers } of others) {
  JOBS.forEach((job, index) => {
    const other = answers[index].findIndex((answer, input) => answer !== core.answers[index][input])
    if (other < 0) return
    throw new Error(`${name} answers ${job} ${other} differently:\n${answers[index][other]}\n${core.answers[index][other]}`)
  })
}

const measured = {}
const microseconds = async ({ ask }, job) => Number(await ask(`${job} ${COUNT}`)) / COUNT / 1000
console.log(`${inputs.length} inputs, the same answers from all; microseconds a job, ${ROUNDS} rounds of ${COUNT}`)
for (const job of JOBS) {
  // A host needs no digest if no address has a checksum.
  const floor = job === 'host' ? [] : ['floor']
  const reply = job === 'both' ? [REPLY] : []
  const times = Object.fromEntries([...running.map(({ name }) => name), ...floor, ...reply].map((name) => [name, []]))
  for (const side of running) await microseconds(side, job)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of running) times[side.name].push(await microseconds(side, job))
    times.floor?.push(await microseconds(core, `floor-${job}`))
    times[REPLY]?.push(await microseconds(others[0], 'json'))
  }
  report(`${job}, in Node`, times)
}
for (const { end } of running) end()

const page = await inChromium(inputs, { rounds: ROUNDS, count: 100 })
for (const [job, times] of Object.entries(page.times)) report(`${job}, in Chromium`, times)
console.log(`\nThe first signable of a page, compilation included: ${page.first.toFixed(1)} ms (median of ${page.pages} pages)`)

const redis = Object.fromEntries(
  Object.entries((await onRedis()) ?? {}).map(([name, times]) => {
    const least = Object.entries(times).map(([figure, all]) => [figure, Number(Math.min(...all).toFixed(2))])
    console.log([`\n${name.padEnd(24)}`, ...least.map(([figure, time]) => `${figure} ${time.toFixed(1).padStart(6)}`)].join('  '))
    return [name, Object.fromEntries(least)]
  }),
)
console.log('\nHow times grow, in Rust, half a minute')
const growth = JSON.parse(execFileSync(here('../../target/release/growth'), { encoding: 'utf8' }))

const on = `${cpus()[0].model.trim()}, Node ${process.versions.node}, Chromium ${page.version}`
const date = new Date().toISOString().slice(0, 10)
const figures = { unit: 'microseconds a job', on, date, measured, first: page.first }
writeFileSync(here('../../docs/pictures/bench.json'), `${JSON.stringify(figures, null, 2)}\n`)
writeFileSync(here('../../docs/pictures/growth.json'), `${JSON.stringify({ on, date, ...growth }, null, 2)}\n`)
writeFileSync(here('README.md'), readme())

/** The results as Markdown. */
function readme() {
  const tables = Object.entries(measured).map(([title, sides]) => {
    const peer = sides['ox + valibot'].min
    const rows = Object.entries(sides).map(([name, { min, median }]) => {
      const floors = sides.floor ? ` ${(min / sides.floor.min).toFixed(1)} |` : ''
      return `| ${name} | ${min} | ${median} | ${(peer / min).toFixed(2)} |${floors}`
    })
    const [more, line] = sides.floor ? [' × the floor |', '---|'] : ['', '']
    const head = [`| side | least | median | times as fast as ox + valibot |${more}`, `|---|---|---|---|${line}`]
    return [`## ${title}`, '', ...head, ...rows].join('\n')
  })
  return `# Benchmarks

Written by \`cargo xtask bench\` on ${date}: ${on}. Microseconds per job, ${ROUNDS} rounds in which the libraries take turns. \`jobs.mjs\`
says what the jobs are, and all sides give the same answers. The floor is the digests that no side can do without, by sha3.

The first \`signable\` of a page takes ${page.first.toFixed(1)} ms, including the compilation of its WebAssembly (median of ${page.pages} pages).

${tables.join('\n\n')}

## Rate windows on Redis

${onRedisTable()}

## Admission in a process

Nanoseconds a call, callers at random, the least of 9 rounds; beside a \`HashMap<String, u64>\` that adds one.

| callers | sendoff | map | × the map |
|---|---|---|---|
${growth.callers.map(({ callers, sendoff, map }) => row(callers.toLocaleString('en'), sendoff, map)).join('\n')}

## Refused estimates

Microseconds in Rust, text to text, beside an accepted estimate of the same size.

| what is refused | refused | accepted | × accepted |
|---|---|---|---|
${growth.refusals.map(({ name, refused, accepted }) => row(name, refused, accepted)).join('\n')}

## What was asked for and is not reached

${limits()}
`
}

/** Each figure that is not reached, with what holds it: by how much, what was tried, and what more would cost. */
function limits() {
  const of = (job, name) => measured[`${job}, in Node`][name].min
  const times = (job, name) => (of(job, 'ox + valibot') / of(job, name)).toFixed(1)
  const [core, native, wasm] = ['sendoff, core in Rust', 'sendoff, native in Node', 'sendoff, wasm in Node']
  const least = (of('both', REPLY) + of('both', core)).toFixed(1)
  const [redisOurs, redisPeer, redisLeast] = Object.values(redis)
  const most = (name) => growth.refusals.find((refusal) => refusal.name === name)
  const refused = (name) => (most(name).refused / most(name).accepted).toFixed(1)
  return `| asked for | found | why, what was tried, and what more would cost |
|---|---|---|
| \`both\` ≥ 10 × natively, ≥ 7 × in wasm | ${times('both', native)}, ${times('both', wasm)} | The job asks for the reply as an object and as text. JSON.parse and JSON.stringify of it take ${of('both', REPLY)} µs and the core ${of('both', core)}: ${least} together, where 10 × are ${(of('both', 'ox + valibot') / 10).toFixed(1)}. Objects made by napi are slower than JSON.parse. Answers that are parsed when a field is read would be printed as \`[Getter]\`. \`sendoff/text\` makes no object: that is \`host\`. |
| \`client\` ≥ 9 × natively, ≥ 6 × in wasm; \`signable\` ≤ 3 floors | ${times('client', native)}, ${times('client', wasm)}; ${(of('client', core) / of('client', 'floor')).toFixed(1)} floors | The core in Rust by itself is ${times('client', core)} ×. Two documents are read, one is written again to be compared, and the answer has typed data, a description and warnings, of which the job uses the digest. |
| \`host\` ≥ 4 × in wasm | ${times('host', wasm)} | The module is compiled for size. \`opt-level = 3\` for all of it is 12 % faster and 17 kB (gzip) larger; for the digits of hex it is taken. |
| the first call of a page ≤ 5 ms | ${page.first.toFixed(1)} ms | The module is unpacked by WebAssembly (3 ms less than by JavaScript). The rest is the engine's: to compile the module and, one by one, the functions of the first call. \`await init()\` does the first part before it is needed. |
| a page with \`sendoff/sign\` ≤ 30 kB, with all ≤ 55 kB | docs/pictures/size.svg | No part is large: 570 functions, the largest of 13 kB before compression, and no library but \`core\` and \`alloc\`. \`cargo xtask size\` lists them. build-std with immediate-abort takes off 7 kB and 2 kB, by an unstable flag; LLVM's and wasm-opt's other passes less than 0.5 %. |
| \`admit\` ≤ 1.3 × the map | above | With few callers both take 15 ns for the hash and the place; the window and the verdict are the other 5. |
| a script ≤ 1.0 × and a client ≤ 1.2 × of rate-limiter-flexible | ${(redisOurs.server / redisPeer.server).toFixed(2)}, ${(redisOurs.client / redisPeer.client).toFixed(2)} | TIME, GET and SET without any rule are ${(redisLeast.server / redisPeer.server).toFixed(2)} × its script, which counts in one command and has no clock, no midnight and no deadline. A policy's constants in the script instead of arguments save 11 %, and make a script for each policy. A client that puts verdicts together in JavaScript halves the rest, and would be a second definition of them. |
| a refused estimate ≤ 3 × an accepted one | at most ${refused('1 MiB, 65,000 unknown fields')} | All usual ones are. The accepted document of 1 MiB is one text of hex digits, read eight at a time; a refused one of 500,000 values or 65,000 keys is a tree, of which every key gets an issue or a comparison. |`
}

function onRedisTable() {
  const [ours, peer, least] = Object.values(redis)
  if (!peer) return 'Not measured: redis-server is not installed.'
  const rows = Object.keys(ours).map((figure) => `${row(figure, ours[figure], peer[figure])} ${least[figure].toFixed(1)} |`)
  return [
    'Microseconds a call, the least of 15 rounds: 100 callers, 32 calls at once, on ioredis. `server` is the time in the script',
    '(`commandstats`), `client` the processor time of the process that calls, `wall` the time that passed.',
    '',
    `| | ${Object.keys(redis).slice(0, 2).join(' | ')} | × | ${Object.keys(redis)[2]} |`,
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function row(name, ours, peer) {
  return `| ${name} | ${ours.toFixed(1)} | ${peer.toFixed(1)} | ${(ours / peer).toFixed(2)} |`
}

/** Prints what each side took, and what the peers and the floor took beside it. */
function report(title, times) {
  const best = (name) => Math.min(...times[name])
  console.log(`\n${title}`)
  measured[title] = {}
  for (const [name, all] of Object.entries(times)) {
    const [min, median] = [best(name), all.sort((a, b) => a - b)[all.length >> 1]]
    measured[title][name] = { min: Number(min.toFixed(1)), median: Number(median.toFixed(1)) }
    const ratios = ['ox + valibot', 'viem + zod'].map((peer) => `${(best(peer) / min).toFixed(1).padStart(6)} x ${peer}`)
    if (times.floor) ratios.push(`${(min / best('floor')).toFixed(1).padStart(6)} floors`)
    console.log([name.padEnd(24), `min ${min.toFixed(1).padStart(6)}`, `median ${median.toFixed(1).padStart(6)}`, ...ratios].join('  '))
  }
}
