import { spawnSync } from 'node:child_process'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

test('the README shows the example, and the example runs', async () => {
  const example = readFileSync(at('examples/signable.ts'), 'utf8')
  assert(readFileSync(at('../../README.md'), 'utf8').includes(`\`\`\`ts\n${example}\`\`\``), 'the README shows another program')

  const options = { bundle: true, format: 'esm', platform: 'node', write: false, logLevel: 'silent' }
  const { outputFiles } = await build({ entryPoints: [at('examples/signable.ts')], ...options })
  const run = { input: outputFiles[0].contents, cwd: at('../..'), encoding: 'utf8' }
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module'], run)
  assert.equal(status, 0, stderr)
  // The digest stands alone in the last line, and nothing was refused.
  assert.match(stdout, /\n0x[0-9a-f]{64}\n$/)
  assert.equal(stderr, '')
})

test('the README shows how the server for Express begins, which its own tests run', () => {
  const server = readFileSync(at('examples/node-backend/express.mjs'), 'utf8')
  const [, shown] = readFileSync(at('../../README.md'), 'utf8').match(/```js\n([^]*?)```/)
  assert(server.startsWith(shown), 'the README shows another server')
})
