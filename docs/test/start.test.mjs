// The quick start for Node, in a folder of its own: with nothing but the tarball, the commands of the page about installing, and
// the commands, files and requests of the quick start.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { pack } from '../../bindings/sendoff-js/pack.mjs'
import { fences, files } from './guides.mjs'

const PAGE = 'start/node.md'

test(`${PAGE}: its server answers as the page shows, in a folder of its own`, async (context) => {
  const place = mkdtempSync(join(tmpdir(), 'sendoff-start-'))
  const packages = mkdtempSync(join(tmpdir(), 'sendoff-packages-'))
  context.after(() => [place, packages].forEach((folder) => rmSync(folder, { recursive: true })))
  const { tarball } = pack(packages)
  for (const file of [basename(tarball), 'SHA256SUMS']) copyFileSync(join(packages, file), join(place, file))

  const env = { ...process.env, NODE_OPTIONS: '', PORT: '0', npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
  const run = (command) => {
    const [program, ...args] = command.split(' ')
    return execFileSync(program, args, { cwd: place, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  }
  const lines = (page) => fences(page, 'sh').map((commands) => commands.trim().split('\n'))
  const [[install], [more, requests]] = [lines('guide.md'), lines(PAGE)]
  for (const command of [...install, ...more]) run(command)
  for (const [name, content] of Object.entries(files(PAGE))) writeFileSync(join(place, name), content)

  const server = spawn(process.execPath, ['server.mjs'], { cwd: place, env, stdio: ['ignore', 'pipe', 'inherit'] })
  context.after(() => server.kill())
  const [line] = await once(server.stdout.setEncoding('utf8'), 'data')
  const [, port] = /^port (\d+)/.exec(line)

  const answers = []
  for (const request of requests) answers.push(await ask(place, request.replace('127.0.0.1:3000', `127.0.0.1:${port}`)))
  assert.deepEqual(answers, fences(PAGE, 'text')[0].trim().split('\n'))
})

/** Sends the request of a command of curl, as some machines have none. */
async function ask(place, command) {
  const [, url] = /^curl -i (\S+)/.exec(command)
  const headers = Object.fromEntries(Array.from(command.matchAll(/-H '([^:]+): ([^']+)'/g), ([, name, value]) => [name, value]))
  const [, file] = / -d @(\S+)/.exec(command) ?? []
  const body = file && readFileSync(join(place, file), 'utf8')
  const response = await fetch(url, { method: 'POST', headers, body })
  return `${response.status} ${(await response.json()).status}`
}
