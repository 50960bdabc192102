// `cargo xtask bench`: the estimate job, request text in, reply text and user operation hash out. The figures are left in
// docs/pictures, for the plot. Each side is a process
// of its own and they take turns, so that whatever else the machine does befalls all alike; the ratios are the figures.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { createInterface } from 'node:readline'

const here = (path) => new URL(path, import.meta.url).pathname
const node = (module, backend) => [process.execPath, [here('side.mjs'), module], { ...process.env, SENDOFF_BACKEND: backend }]
const sides = {
  'sendoff, core in Rust': [here('../../target/release/xtask'), ['bench', 'core'], process.env],
  'sendoff, native in Node': node('./sendoff.mjs', 'native'),
  'sendoff, wasm in Node': node('./sendoff.mjs', 'wasm'),
  'ox + valibot': node('./ox-valibot.mjs', ''),
  'viem + zod': node('./viem-zod.mjs', ''),
}
const [ROUNDS, JOBS] = [25, 400]

// The vectors whose requests every side understands: an NFT, nobody but the user pays, no gas station. Letter case is the
// only thing on which the sides disagree, and it is no part of the job.
const lower = (object, names) => ({ ...object, ...Object.fromEntries(names.map((name) => [name, object[name].toLowerCase()])) })
const { cases } = JSON.parse(readFileSync(here('../vectors/estimate.json'), 'utf8'))
const jobs = cases
  .filter(({ args: [request, facts] }) => request.type === 'NFT_TRANSFER' && !request.feePayerAddress && !facts.gsn)
  .map(({ args: [request, facts] }) => [
    { ...lower(request, ['jobId']), details: lower(request.details, ['recipientWalletAddress', 'collectionAddress']) },
    lower(facts, ['clientSWA', 'userSWA', 'jobManager', 'paymaster']),
  ])
  .map((documents) => documents.map((document) => JSON.stringify(document)))
const at = { entryPoint: '0x0000000071727de22e5e9d8baf0edac6f37da032', chainId: 8088, version: '0.7' }

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

const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
}
const meaning = ([body, hash]) => JSON.stringify([sorted(JSON.parse(body)), hash])

const running = Object.entries(sides).map(([name, side]) => ({ name, times: [], ...start(side) }))
for (const side of running) side.answers = JSON.parse(await side.ask(JSON.stringify({ jobs, at }))).map(meaning)
for (const { name, answers } of running) {
  const other = answers.findIndex((answer, index) => answer !== running[0].answers[index])
  if (other >= 0) throw new Error(`${name} answers job ${other} differently:\n${answers[other]}\n${running[0].answers[other]}`)
}
console.log(`${jobs.length} requests, the same answers from all; microseconds a job, ${ROUNDS} rounds of ${JOBS}\n`)
for (const { ask } of running) await ask(JOBS)
for (let round = 0; round < ROUNDS; round += 1) {
  for (const { ask, times } of running) times.push(Number(await ask(JOBS)) / JOBS / 1000)
}
for (const { end } of running) end()

const best = (name) => Math.min(...running.find((side) => side.name === name).times)
const measured = {}
for (const { name, times } of running) {
  const [min, median] = [Math.min(...times), times.sort((a, b) => a - b)[times.length >> 1]]
  measured[name] = { min: Number(min.toFixed(1)), median: Number(median.toFixed(1)) }
  const ratios = ['ox + valibot', 'viem + zod'].map((peer) => `${(best(peer) / min).toFixed(1).padStart(6)} x ${peer}`)
  console.log([name.padEnd(24), `min ${min.toFixed(1).padStart(6)}`, `median ${median.toFixed(1).padStart(6)}`, ...ratios].join('  '))
}

const on = `${cpus()[0].model.trim()}, Node ${process.versions.node}`
const figures = { unit: 'microseconds a job', on, date: new Date().toISOString().slice(0, 10), measured }
writeFileSync(here('../../docs/pictures/bench.json'), `${JSON.stringify(figures, null, 2)}\n`)
