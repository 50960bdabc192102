// `cargo xtask bench`, and `cargo xtask codegen bench`, which writes the results: the three jobs of jobs.mjs, by each side in a process or a
// page of its own. They take turns, so that other load on the machine affects all alike; the ratios are the figures. `floor` is the digests that no side can do without.
// It prints the page of what was measured; with --write it is docs/reference/tables/bench.md, and the plot has its figures in docs/pictures.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { createInterface } from 'node:readline'
import { inputs } from './inputs.mjs'
import { JOBS, meaning } from './jobs.mjs'
import { inPages } from './page.mjs'
import { onRedis } from './redis.mjs'

const here = (path) => new URL(path, import.meta.url).pathname
const node = (module, backend) => [process.execPath, [here('side.mjs'), module], { ...process.env, SENDOFF_BACKEND: backend }]
const sides = {
  'sendoff, core in Rust': [here('../target/release/bench'), [], process.env],
  'sendoff, native in Node': node('./sendoff.mjs', 'native'),
  'sendoff, wasm in Node': node('./sendoff.mjs', 'wasm'),
  'ox + valibot': node('./ox-valibot.mjs', ''),
  'viem + zod': node('./viem-zod.mjs', ''),
}
const ROUNDS = 25
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

const measured = {}
const running = Object.entries(sides).map(([name, side]) => ({ name, ...start(side) }))
await measure('Node', running, 400)
for (const { end } of running) end()
const page = await inPages(inputs[0], (running) => measure('Chromium', running, 100))
const least = (times) => Object.entries(times).map(([figure, all]) => [figure, Number(Math.min(...all).toFixed(2))])
const redis = Object.fromEntries(Object.entries((await onRedis()) ?? {}).map(([name, times]) => [name, Object.fromEntries(least(times))]))
console.log('how times grow, in Rust, half a minute')
const growth = JSON.parse(execFileSync(here('../target/release/growth'), { encoding: 'utf8' }))

const on = `${cpus()[0].model.trim()}, Node ${process.versions.node}, Chromium ${page.version}`
const date = new Date().toISOString().slice(0, 10)
const figures = { unit: 'microseconds a job', on, date, measured, first: page.first }
console.log(`\n${readme()}`)
if (process.argv.includes('--write')) {
  writeFileSync(here('../docs/pictures/bench.json'), `${JSON.stringify(figures, null, 2)}\n`)
  writeFileSync(here('../docs/reference/tables/bench.md'), readme())
}

/** Measures the jobs by each side, which take turns, and keeps the least and the median of what each took. All give the same answers. */
async function measure(where, running, count) {
  const [core] = running
  for (const side of running) {
    side.answers = JSON.parse(await side.ask(JSON.stringify(inputs))).map((answers) => answers.map(meaning))
    for (const [job, answers] of side.answers.entries()) {
      for (const [at, answer] of answers.entries()) assert.equal(answer, core.answers[job][at], `${side.name}: ${JOBS[job]} ${at}`)
    }
  }
  const rounded = (time) => Number(time.toFixed(1))
  const figures = (all) => ({ min: rounded(Math.min(...all)), median: rounded(all.sort((a, b) => a - b)[all.length >> 1]) })
  for (const job of JOBS) {
    console.log(`${job}, in ${where}: ${inputs.length} inputs, ${ROUNDS} rounds of ${count}`)
    const rows = running.map(({ name, ask }) => ({ name, ask, job, times: [] }))
    // A host needs no digest if no address has a checksum.
    if (where === 'Node' && job !== 'host') rows.push({ name: 'floor', ask: core.ask, job: `floor-${job}`, times: [] })
    for (const { ask, job } of rows) await ask(`${job} ${count}`)
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { ask, job, times } of rows) times.push(Number(await ask(`${job} ${count}`)) / count / 1000)
    }
    measured[`${job}, in ${where}`] = Object.fromEntries(rows.map(({ name, times }) => [name, figures(times)]))
  }
}

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

Written by \`cargo xtask codegen bench\` on ${date}: ${on}. Microseconds per job, ${ROUNDS} rounds in which the libraries take turns. \`jobs.mjs\`
says what the jobs are, and all sides give the same answers. The floor is the digests that no side can do without, by sha3.

The first \`signable\` of a page takes ${page.first.toFixed(1)} ms, including the compilation of its WebAssembly (median of ${page.pages} pages; least ${page.firstAtLeast.toFixed(1)}).

${tables.join('\n\n')}

## Rate windows on Redis

${onRedisTable()}

## Admission in a process

Nanoseconds a call, callers at random, the least of all rounds; beside a \`HashMap<String, u64>\` that adds one, and governor.

| callers | sendoff | map | × the map | governor |
|---|---|---|---|---|
${growth.callers.map(({ callers, sendoff, map, governor }) => `${row(callers.toLocaleString('en'), sendoff, map)} ${governor.toFixed(1)} |`).join('\n')}

## Sizes of documents

Microseconds in Rust of an estimate and of the verification of its reply, which is about twice as long as the request and at most 1 MiB: one raw
transaction with more and more data.

| bytes | estimate | verification |
|---|---|---|
${growth.documents.map(({ bytes, estimate, verify }) => `| ${bytes.toLocaleString('en')} | ${estimate.toFixed(1)} | ${verify?.toFixed(1) ?? ''} |`).join('\n')}

## Refused estimates

Microseconds in Rust, text to text, beside an accepted estimate of the same size.

| what is refused | refused | accepted | × accepted |
|---|---|---|---|
${growth.refusals.map(({ name, refused, accepted }) => row(name, refused, accepted)).join('\n')}
`
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
