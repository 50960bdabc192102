// The programs in Rust: the gateway, and the host on axum. `cargo xtask test aliases` builds them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

function started(t, program, args, stdio) {
  const child = spawn(at(`target/debug/${program}`), args, { stdio })
  const ended = once(child, 'exit')
  const end = async () => {
    child.kill()
    await ended
  }
  t.after(end)
  return { child, end }
}

/** The host on axum, which keeps its own ledger. */
export async function axum(t, book, ...args) {
  const { child } = started(t, 'aliases', args, ['ignore', 'pipe', 'inherit'])
  const lines = createInterface({ input: child.stdout })
  const [host] = await once(lines, 'line')
  lines.on('line', (line) => told(book, line))
  return host
}

/** Writes down a line of a host in another process: `counted ID OPERATION` or `reached ID OPERATION`. */
export function told(book, line) {
  const [what, id, operation] = line.split(' ')
  if (what === 'counted') book.counted(id, operation)
  if (what === 'reached') book.reached(operation, { 'x-request-id': id })
}

/** The gateway in front of a host: its log is what was counted. */
export async function gateway(t, book, upstream) {
  const file = (name) => readFileSync(at(`crates/sendoff-gateway/${name}`), 'utf8')
  const [, sandbox] = file('gateway.toml').split('[environment.sandbox]\n')
  const applications = file('applications.toml').slice(file('applications.toml').indexOf('[[environment.sandbox'))
  const kept = sandbox.split('\n').filter((line) => !/^(listen|policy|playground) =/.test(line)).join('\n')
  const policy = '{ limit = 1_000_000, window_ms = 300_000 }'
  const folder = mkdtempSync(join(tmpdir(), 'sendoff-aliases-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const own = `listen = "127.0.0.1:0"\npolicy = ${policy}\nupstream.url = "http://${upstream}"`
  writeFileSync(join(folder, 'applications.toml'), applications)
  writeFileSync(join(folder, 'gateway.toml'), `applications = "applications.toml"\n[environment.sandbox]\n${own}\n${kept}`)
  const { child, end } = started(t, 'sendoff-gateway', ['--config', join(folder, 'gateway.toml')], ['ignore', 'pipe', 'pipe'])
  createInterface({ input: child.stderr }).on('line', (line) => {
    const { trace_id, operation, verdict } = JSON.parse(line)
    if (verdict === 'admitted') book.counted(trace_id, operation)
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { host: new URL(line.split(' ')[1]).host, end }
}
