import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A `redis-server` without persistence, on a free port, with further options; or with the file of a sentinel. */
export async function redisServer(port, more = {}, sentinel = undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'sendoff-redis-'))
  const chosen = port ?? (await freePort())
  const options = { port: chosen, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', daemonize: 'no', ...more }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  if (sentinel) {
    const file = join(folder, 'sentinel.conf')
    writeFileSync(file, sentinel)
    args.unshift(file, '--sentinel')
  }
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').finally(() => rmSync(folder, { recursive: true, force: true }))
  ended.catch(() => {})
  const ready = async () => {
    for await (const line of createInterface({ input: child.stdout })) if (/Ready to accept|Sentinel ID is/.test(line)) return
    throw new Error('redis-server ended early')
  }
  await Promise.race([ready(), ended]).catch((cause) => {
    throw new Error('expected redis-server, as in `apt-get install redis-server`', { cause })
  })
  child.stdout.resume()
  const end = async () => {
    child.kill('SIGCONT')
    child.kill()
    await ended
  }
  const kill = () => child.kill('SIGKILL')
  /** Stops and continues the process, like a machine that hangs. */
  const [freeze, thaw] = [() => child.kill('SIGSTOP'), () => child.kill('SIGCONT')]
  return { port: chosen, url: `redis://127.0.0.1:${chosen}`, end, kill, freeze, thaw }
}

/**
 * An address that can be moved to another store, as in a failover. Existing connections then become silent: they are neither
 * closed nor reset.
 */
export async function relay(t, { port }) {
  let to = { port }
  const sockets = new Set()
  const server = createServer((caller) => {
    const [place, store] = [to, connect(to.port, '127.0.0.1')]
    const pass = (from, into) => {
      sockets.add(from)
      from.on('data', (part) => { if (place === to) into.write(part) })
      from.on('close', () => { if (place === to) into.destroy() })
      from.on('error', () => {})
    }
    pass(caller, store)
    pass(store, caller)
  }).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server, 'listening')
  return { url: `redis://127.0.0.1:${server.address().port}`, moveTo: ({ port }) => { to = { port } } }
}

/** A port that is free now. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
