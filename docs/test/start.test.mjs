// The quick start for Node: its server, with the requests of its page.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fences } from './guides.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const place = at('../../target/docs-start')

test('start/node.md: its server answers as the page shows', async () => {
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  symlinkSync(at('../node_modules'), `${place}/node_modules`)
  const [program] = fences('start/node.md', 'js')
  writeFileSync(`${place}/server.mjs`, program)
  const env = { ...process.env, NODE_OPTIONS: '', PORT: '0' }
  const server = spawn(process.execPath, ['server.mjs'], { cwd: place, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(server.stdout.setEncoding('utf8'), 'data')
    const address = `http://127.0.0.1:${/^port (\d+)/.exec(line)[1]}`
    const body = readFileSync(at('../../tests/demo/request.json'), 'utf8')
    const ask = async (path, headers, body) => {
      const response = await fetch(address + path, { method: 'POST', headers, body })
      return `${response.status} ${(await response.json()).status}`
    }
    const [key, json] = [{ 'x-api-key': 'demo-key' }, { 'content-type': 'application/json' }]
    const answers = [
      await ask('/api/oc/v1/estimate', { ...key, ...json }, body),
      await ask('/api/oc/v1/estimate', json, body),
    ]
    for (let call = 1; call <= 3; call += 1) answers.push(await ask('/api/v1/nft/transfer', key))
    assert.deepEqual(answers, fences('start/node.md', 'text')[0].trim().split('\n'))
  } finally {
    server.kill()
  }
})
