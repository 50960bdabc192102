import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { existsSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { visit } from '../../browser/chromium.mjs'

const require = createRequire(import.meta.url)
const { version } = require('next/package.json')
const program = require.resolve('next/dist/bin/next')
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }

/** Next's production server by Turbopack: in a server component, in a route handler, and on the page. */
export function next({ ground, chromium }) {
  const cwd = `${ground.native}/next`
  let built
  const serving = async (backend, use) => {
    await (built ??= build(cwd))
    const options = { cwd, env: { ...env, SENDOFF_BACKEND: backend }, stdio: ['ignore', 'pipe', 'inherit'] }
    const server = spawn(process.execPath, [program, 'start', '-H', '127.0.0.1', '-p', '0'], options)
    const ended = once(server, 'exit')
    try {
      let said = ''
      for await (const text of server.stdout) if ((said += text).includes('Ready')) break
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said)
      return await use(`${address}/`)
    } finally {
      server.kill()
      await ended
    }
  }
  const component = async (address) => {
    const page = await (await fetch(address)).text()
    return page.match(/<pre>(.*?)<\/pre>/)?.[1]
  }
  const handler = async (address) => (await fetch(`${address}api`)).text()
  const edge = async (address) => (await fetch(`${address}edge`)).text()
  const onPage = (address) => visit(chromium, address, 'onPage')
  const row = (name, backend, ...uses) => ({ name: `Next (Turbopack), ${name}`, version, runs: uses.map((use) => () => serving(backend, use)) })
  return [
    row('server component and route handler', 'wasm', component, handler),
    row('server component and route handler, addon installed', '', component, handler),
    row('edge runtime of `next start`, and client component', '', edge, onPage),
  ]
}

async function build(cwd) {
  const modules = dirname(dirname(require.resolve('next/package.json')))
  if (!existsSync(`${cwd}/node_modules`)) symlinkSync(modules, `${cwd}/node_modules`)
  await promisify(execFile)(process.execPath, [program, 'build'], { cwd, env })
}
