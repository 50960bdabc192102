// Measures the gateway beside nginx with limit_req, in one run: `node bench/hosts.mjs BINARY`, the gateway of a release build. Both forward
// the same call to one backend, an nginx that answers with 500 bytes; the gateway answers estimates too. 32 callers, the median of five.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { table, turns } from './wrk.mjs'

const [binary] = process.argv.slice(2)
if (!binary) throw new Error('usage: node bench/hosts.mjs BINARY')
const { ROUNDS = '5', ROUND_SECONDS = '3', PORT = '18080' } = process.env
const [backend, nginx, gateway, admin] = [0, 1, 2, 3].map((more) => Number(PORT) + more)
const folder = mkdtempSync(join(tmpdir(), 'sendoff-hosts-'))
const token = 'token-of-the-benchmark'

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

const example = (file) => readFileSync(new URL(`../crates/sendoff-gateway/${file}`, import.meta.url), 'utf8')
const digest = createHash('sha256').update(token).digest('hex')
const [, deployment] = example('gateway.toml').split('[environment.sandbox.deployment]\n')
const [, applications] = example('applications.toml').split('[[environment.sandbox.application]]\n')
writeFileSync(join(folder, 'gateway.toml'), `
applications = "${folder}/applications.toml"
admin = "127.0.0.1:${admin}"
[environment.sandbox]
listen = "127.0.0.1:${gateway}"
policy = { limit = 2_000_000, window_ms = 86_400_000, midnight = "carry" }
upstream.url = "http://127.0.0.1:${backend}"
[environment.sandbox.deployment]
${deployment}
`)
writeFileSync(join(folder, 'applications.toml'), `
[[environment.sandbox.application]]
${applications}
[[environment.sandbox.application.user]]
token = { sha256 = "${digest}" }
user_swa = "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906"
`)

const processes = [
  spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: 'inherit' }),
  spawn(binary, ['--config', join(folder, 'gateway.toml')], { stdio: ['ignore', 'ignore', 'ignore'] }),
]
try {
  await wait(1_000)
  const workers = execFileSync('pgrep', ['-P', String(processes[0].pid)], { encoding: 'utf8' }).trim().split('\n')
  const estimate = readFileSync(new URL('../tests/demo/request.json', import.meta.url), 'utf8')
  const at = (port, path) => new URL(path, `http://127.0.0.1:${port}`)
  const transfer = '/api/v1/nft/transfer'
  const pids = [String(processes[1].pid)]
  // The workers of nginx answer as the backend too: its part is the same for both.
  const sides = [
    { name: 'nginx with limit_req', url: at(nginx, transfer), pids: workers, body: '{}', token },
    { name: 'the backend alone', url: at(backend, transfer), pids: workers, body: '{}', token },
    { name: 'gateway, forwarding', url: at(gateway, transfer), pids, body: '{}', token },
    { name: 'gateway, estimates', url: at(gateway, '/api/oc/v1/estimate'), pids, body: estimate, token },
  ]
  const median = await turns(sides, Number(ROUNDS), Number(ROUND_SECONDS))
  table(sides, median, { perSecond: 'requests/s', p50: 'p50 ms', p99: 'p99 ms', cores: 'cores used', micros: 'µs a call' })
  const [beside, , forwarding, estimates] = sides.map((side) => median(side, 'perSecond'))
  console.log(`\nof nginx: forwarding ${(forwarding / beside).toFixed(2)} (0.4), estimates ${(estimates / beside).toFixed(2)} (0.7); `
    + `${median(sides[2], 'micros').toFixed(0)} µs a forwarded call (60)`)
} finally {
  for (const child of processes) child.kill('SIGTERM')
  await wait(500)
  rmSync(folder, { recursive: true })
}
