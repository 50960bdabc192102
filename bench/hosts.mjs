// node bench/hosts.mjs: estimates over HTTP by the gateway and by the example of a host in Node, and calls that the gateway forwards beside nginx with
// limit_req, in one run; `cargo xtask bench` builds what it starts. Both forward the same call to one backend, an nginx that answers with
// 500 bytes. 32 callers, the median of five rounds. Load generator and servers share the machine, so the processor time of a call says more
// than calls a second. ROUNDS, ROUND_SECONDS, PORT and CONNECTIONS have defaults.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { meaning } from './jobs.mjs'

const { ROUNDS = '5', ROUND_SECONDS = '3', PORT = '18080', CONNECTIONS = '32' } = process.env
const [backend, nginx, gateway, admin, hono] = [0, 1, 2, 3, 4].map((more) => Number(PORT) + more)
const at = (path) => new URL(`../${path}`, import.meta.url).pathname
const read = (path) => readFileSync(at(path), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'sendoff-hosts-'))
// Of the example's user in Node, and here of the gateway's.
const token = 'demo-token'
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

writeFileSync(join(folder, 'nginx.conf'), `
worker_processes auto; pid ${folder}/pid; error_log ${folder}/error.log; daemon off;
events { worker_connections 1024; }
http {
  access_log ${folder}/access.log;
  limit_req_zone $http_authorization zone=rate:10m rate=1000000r/s;
  upstream backend { server 127.0.0.1:${backend}; keepalive 64; keepalive_requests 1000000; }
  server { listen 127.0.0.1:${backend}; access_log off; keepalive_requests 1000000; location / { return 200 '${'a'.repeat(500)}'; } }
  server {
    listen 127.0.0.1:${nginx}; keepalive_requests 1000000;
    location / {
      limit_req zone=rate burst=100000 nodelay;
      proxy_pass http://backend; proxy_http_version 1.1; proxy_set_header Connection '';
    }
  }
}`)

const digest = createHash('sha256').update(token).digest('hex')
const [, deployment] = read('crates/sendoff-gateway/gateway.toml').split('[environment.sandbox.deployment]\n')
const [, applications] = read('crates/sendoff-gateway/applications.toml').split('[[environment.sandbox.application]]\n')
writeFileSync(join(folder, 'gateway.toml'), `
applications = "${folder}/applications.toml"
admin = "127.0.0.1:${admin}"
[environment.sandbox]
listen = "127.0.0.1:${gateway}"
policy = { limit = 2_000_000, windowMs = 86_400_000, midnight = "carry" }
upstream.url = "http://127.0.0.1:${backend}"
[environment.sandbox.deployment]
${deployment}
`)
writeFileSync(join(folder, 'applications.toml'), `
[[environment.sandbox.application]]
${applications.replace(/sha256 = "\w*"(?=\nof = \{ user)/, `sha256 = "${digest}"`)}`)

const env = { ...process.env, PORT: String(hono), LIMIT: '2000000', WINDOW_MS: '86400000', SENDOFF_LOG: 'warn' }
const start = (program, ...args) => spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
const processes = [
  start('nginx', '-c', join(folder, 'nginx.conf')),
  start(at('target/release/sendoff-gateway'), '--config', join(folder, 'gateway.toml')),
  start(process.execPath, at('bindings/sendoff-js/examples/node-backend/hono.mjs')),
]
try {
  await wait(1_000)
  const workers = execFileSync('pgrep', ['-P', String(processes[0].pid)], { encoding: 'utf8' }).trim().split('\n')
  const [, ours, theirs] = processes.map(({ pid }) => [String(pid)])
  const estimate = JSON.stringify(JSON.parse(read('tests/demo/request.json')))
  const side = (name, port, pids, path, body) => ({ name, url: new URL(path, `http://127.0.0.1:${port}`), pids, body, token })
  const forwarding = (name, port, pids) => side(name, port, pids, '/api/v1/nft/transfer', '{}')
  const estimating = (name, port, pids) => side(name, port, pids, '/api/oc/v1/estimate', estimate)
  // The workers of nginx answer as the backend too: its part is the same for both.
  const sides = [
    forwarding('nginx with limit_req', nginx, workers),
    forwarding('gateway, forwarding', gateway, ours),
    estimating('gateway, estimates', gateway, ours),
    estimating('Hono, estimates', hono, theirs),
  ]
  const [answer, other] = await Promise.all(sides.slice(2).map(async ({ url, body }) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return meaning(await (await fetch(url, { method: 'POST', headers, body })).text())
  }))
  assert.equal(other, answer)
  // In turns, each once before it counts.
  for (const side of sides) load(side, 1)
  const rounds = sides.map(() => [])
  for (let round = 0; round < Number(ROUNDS); round += 1) {
    for (const [at, side] of sides.entries()) rounds[at].push(load(side, ROUND_SECONDS))
  }
  const median = (all, figure) => Number(all.map((round) => round[figure]).sort((a, b) => a - b)[all.length >> 1].toFixed(2))
  const medians = rounds.map((all) => Object.fromEntries(Object.keys(all[0]).map((figure) => [figure, median(all, figure)])))
  console.table(Object.fromEntries(sides.map(({ name }, at) => [name, medians[at]])))
  const [beside, forwarded, estimates] = medians.map((figures) => figures['requests/s'])
  console.log(`\nof nginx: forwarding ${(forwarded / beside).toFixed(2)} (0.4), estimates ${(estimates / beside).toFixed(2)} (0.7); `
    + `${medians[1]['µs a call'].toFixed(0)} µs a forwarded call (60)`)
} finally {
  for (const child of processes) child.kill('SIGTERM')
  await wait(500)
  rmSync(folder, { recursive: true })
}

/** The processor time of processes so far, in seconds. A name, in brackets, may contain any character. */
function cpu(pids) {
  const used = pids.map((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  })
  return used.reduce((sum, seconds) => sum + seconds, 0)
}

/** One round of load on servers of these processes, by wrk: a generator in Node is slower than the servers. */
function load({ url, pids, body, token }, seconds) {
  const wrk = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', '-s', at('bench/http.lua'), String(url)]
  const before = cpu(pids)
  const output = execFileSync('wrk', wrk, { encoding: 'utf8', env: { ...process.env, TOKEN: token, BODY: body } })
  const used = cpu(pids) - before
  const { requests, seconds: took, failed, p50, p99 } = JSON.parse(output.trim().split('\n').at(-1))
  if (failed > 0) throw new Error(`${failed} of ${requests} requests to ${url} failed`)
  return {
    'requests/s': requests / took, 'p50 ms': p50 / 1000, 'p99 ms': p99 / 1000, 'cores used': used / took, 'µs a call': (used / requests) * 1e6,
  }
}
