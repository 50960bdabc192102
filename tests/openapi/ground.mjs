// What the tests of this folder share: the documents, a pocket service, and a folder for what generators write.

import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Sandbox } from '../../bindings/sendoff-js/dist/sandbox.mjs'
import { listening } from '../../bindings/sendoff-js/test/help.mjs'

export const path = (place) => fileURLToPath(new URL(place, import.meta.url))
const read = (place) => JSON.parse(readFileSync(path(place), 'utf8'))

export const NAMES = ['openapi', 'openapi-okto-v1', 'admin']
export const file = (name) => path(`../../docs/schema/${name}.json`)
export const document = (name) => read(`../../docs/schema/${name}.json`)

/** An estimate's request, of the pocket service's first user. */
export const REQUEST = read('../demo/request.json')
export const TOKEN = 'sandbox-token'

/** A folder in `target`. */
export function folder(name) {
  const place = path(`../../target/openapi/${name}`)
  mkdirSync(place, { recursive: true })
  return place
}

/** The address of a pocket service. */
export const pocket = (t) => listening(t, createServer(new Sandbox({ delays: { start: 0, end: 0 } }).listener))

/** A program of the workspace, which prints its address in its first line: the address, and its end. */
export async function program(t, name, args, onLog) {
  const child = spawn(path(`../../target/debug/${name}`), args, { stdio: ['ignore', 'pipe', onLog ? 'pipe' : 'ignore'] })
  const ended = once(child, 'exit')
  const end = async () => {
    child.kill()
    await ended
  }
  t.after(end)
  if (onLog) createInterface({ input: child.stderr }).on('line', onLog)
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { host: line.split(' ').at(-1).replace('http://', ''), end }
}

/** The sandbox of the gateway's example files in front of a backend, by default without a limit: a file in `target`, for this test's file. */
export function configuration(backend, policy = '"none"') {
  const [, sandbox] = readFileSync(path('../../crates/sendoff-gateway/gateway.toml'), 'utf8').split('[environment.sandbox]\n')
  const kept = sandbox.split('\n').filter((line) => !/^(listen|policy|playground) =/.test(line)).join('\n')
  const place = folder(basename(process.argv[1]))
  const own = `listen = "127.0.0.1:0"\npolicy = ${policy}\nupstream.url = "${backend}"\n`
  writeFileSync(`${place}/gateway.toml`, `applications = "applications.toml"\n[environment.sandbox]\n${own}${kept}`)
  const applications = readFileSync(path('../../crates/sendoff-gateway/applications.toml'), 'utf8')
  writeFileSync(`${place}/applications.toml`, applications.slice(applications.indexOf('[[environment.sandbox')))
  return `${place}/gateway.toml`
}

/** Runs a program to its end, and returns what it says. */
export function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 300_000, ...options })
  const said = `${stdout}${stderr}`
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error ?? said}`)
  return said
}

/** The folder of Python's programs, in the versions of `requirements.txt`; they are installed once. */
export function python() {
  const locked = createHash('sha256').update(readFileSync(path('requirements.txt'))).digest('hex').slice(0, 12)
  const place = path(`../../target/openapi/python-${locked}`)
  if (!existsSync(`${place}/ready`)) {
    run('python3', ['-m', 'venv', '--clear', place])
    run(`${place}/bin/pip`, ['install', '--quiet', '--requirement', path('requirements.txt')])
    writeFileSync(`${place}/ready`, '')
  }
  return `${place}/bin`
}
