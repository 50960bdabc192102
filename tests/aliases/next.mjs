// The corpus of aliases, through Next's production server: behind the guard in its route handlers, and behind the gateway.
// `cargo xtask codegen runtimes` runs it, after it has installed Next.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { OPERATIONS } from 'sendoff'
import { requests, send } from './support/corpus.mjs'
import { ledger } from './support/ledger.mjs'
import { gateway, told } from './support/programs.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const require = createRequire(new URL('../runtimes/large/package.json', import.meta.url))
const program = require.resolve('next/dist/bin/next')
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** An application with a route for each operation, built. It stands in the folder of the package's own applications. */
async function built() {
  const app = at('../../target/aliases/next')
  rmSync(app, { recursive: true, force: true })
  mkdirSync(app, { recursive: true })
  cpSync(at('support/next-handler.mjs'), join(app, 'handler.mjs'))
  for (const name of ['next.config.mjs', 'app/layout.js']) cpSync(at(`../runtimes/apps/next/${name}`), join(app, name))
  // The package itself: its development dependencies are no part of the application.
  for (const name of ['package.json', 'dist']) cpSync(at(`../../bindings/sendoff-js/${name}`), join(app, '../node_modules/sendoff', name), { recursive: true })
  writeFileSync(join(app, 'package.json'), '{ "private": true, "type": "module" }\n')
  symlinkSync(dirname(dirname(require.resolve('next/package.json'))), join(app, 'node_modules'))
  for (const { id, path } of OPERATIONS) {
    const folder = join(app, 'app', path.replace(/\{(\w+)\}/g, '[$1]'))
    mkdirSync(folder, { recursive: true })
    const exported = METHODS.map((method) => `export const ${method} = handle\n`).join('')
    const up = '../'.repeat(path.split('/').length)
    writeFileSync(join(folder, 'route.js'), `import { handler } from '${up}handler.mjs'\nconst handle = handler('${id}')\n${exported}`)
  }
  await promisify(execFile)(process.execPath, [program, 'build'], { cwd: app, env })
  return app
}

async function next(t, cwd, book, guarded) {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const port = String(free.address().port)
  free.close()
  const options = { cwd, env: { ...env, GUARDED: guarded ? 'yes' : '' }, stdio: ['ignore', 'pipe', 'ignore'] }
  const server = spawn(process.execPath, [program, 'start', '-H', '127.0.0.1', '-p', port], options)
  const ended = once(server, 'exit')
  t.after(async () => {
    server.kill()
    await ended
  })
  const lines = createInterface({ input: server.stdout })
  await new Promise((resolve) => lines.on('line', (line) => line.includes('Ready') ? resolve() : told(book, line)))
  return `127.0.0.1:${port}`
}

const app = await built()

test('next: requests that reach a handler were counted', async (t) => {
  const book = ledger()
  const host = await next(t, app, book, true)
  book.balance(t, await send(requests(host), host, false))
})

for (const isHttp2 of [false, true]) {
  test(`gateway${isHttp2 ? ', HTTP/2' : ''}, before next: requests that reach a handler were counted`, async (t) => {
    const book = ledger()
    const { host, end } = await gateway(t, book, await next(t, app, book, false))
    const sent = await send(requests(host), host, isHttp2)
    await end()
    book.balance(t, sent)
  })
}
