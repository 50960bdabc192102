// The TypeScript blocks of a guide are one program, in the order of the page. It compiles, and runs in a folder that has nothing but the
// package and what the page installs. It prints the text of the comment `// text` after each `console.log(…)` or in the line below it.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { redisServer } from '../../bindings/sendoff-js/examples/node-backend/tests/support/redis-server.mjs'
import { fences, files, guides, printed } from './guides.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const place = at('../../target/docs/snippets')
const programs = guides
  .map((guide) => [guide, fences(guide, 'ts').join('\n')])
  .filter(([, program]) => program)
const fileOf = (guide) => `${place}/${guide.replaceAll('/', '-').replace('.md', '')}`

let redis
before(async () => {
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  // As `install` has laid them out for the folder of the documentation.
  const packages = at('../../target/docs/node_modules')
  if (!existsSync(packages)) symlinkSync(at('../node_modules'), packages)
  for (const [guide, program] of programs) writeFileSync(`${fileOf(guide)}.mts`, program)
  // Which `readme.test.mjs` runs.
  writeFileSync(`${place}/readme.mts`, fences('../README.md', 'js').join('\n'))
  if (!spawnSync('redis-server', ['--version']).error) redis = await redisServer()
})
after(() => redis?.end())

test('every program of the guides compiles', () => {
  const { stdout, status } = spawnSync(at('../node_modules/.bin/tsc'), ['-p', at('tsconfig.json')], { encoding: 'utf8' })
  assert.equal(status, 0, stdout)
})

test('the workers that are played in a browser are those of the guide', () => {
  const shown = fences('sandbox.md', 'js')
  for (const file of ['pocket/service-worker.mjs', 'msw/worker.mjs']) {
    const [comment, lines] = readFileSync(at(`../../tests/runtimes/apps/${file}`), 'utf8').split('\n\n')
    assert.equal(comment, '// The lines of docs/sandbox.md.')
    assert.ok(shown.includes(lines), lines)
  }
})

for (const [guide, program] of programs) {
  test(`${guide}: its program prints the expected lines`, (context) => {
    if (program.includes('REDIS_URL') && !redis) return context.skip('redis-server is not there')
    const env = { ...process.env, NODE_OPTIONS: '', REDIS_URL: redis?.url }
    // With the files that the page shows.
    mkdirSync(fileOf(guide))
    for (const [name, content] of Object.entries(files(guide))) writeFileSync(`${fileOf(guide)}/${name}`, content)
    const options = { cwd: fileOf(guide), encoding: 'utf8', env, timeout: 120_000 }
    const { stdout, stderr, status } = spawnSync(process.execPath, [`${fileOf(guide)}.mjs`], options)
    assert.equal(status, 0, stderr)
    assert.deepEqual(stdout.split('\n').slice(0, -1), printed(program))
  })
}
