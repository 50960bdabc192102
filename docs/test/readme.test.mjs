// Each program of a README runs as printed, in a folder that contains only the package from its tarball.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { install } from '../../bindings/sendoff-js/pack.mjs'
import { fences, printed } from './guides.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sendoff-readme-'))
after(() => rmSync(folder, { recursive: true }))
install(folder)

// The files of the README's program.
const first = join(root, 'crates/sendoff/examples/first')
for (const file of readdirSync(first)) copyFileSync(join(first, file), join(folder, file))

for (const readme of ['../README.md', '../bindings/sendoff-js/README.md']) {
  test(`${readme}: its program prints the expected lines`, () => {
    const [program, ...others] = fences(readme, 'js')
    assert.deepEqual(others, [])
    writeFileSync(`${folder}/program.mjs`, program)
    const { stdout, stderr, status } = spawnSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.deepEqual(stdout.split('\n').slice(0, -1), printed(program))
  })
}

test('what a README links to is there', () => {
  const packages = ['bindings/sendoff-js', 'apps/playground', 'crates/sendoff', 'crates/sendoff-cli', 'crates/sendoff-gateway']
  const examples = ['react-form', 'node-backend'].map((name) => `bindings/sendoff-js/examples/${name}`)
  const readmes = ['.', ...packages, ...examples].map((place) => `${place}/README.md`)
  const files = [...readmes, 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'tests/README.md']
  const linksOf = (file) => Array.from(readFileSync(join(root, file), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g), ([, link]) => [file, link])
  const links = files.flatMap(linksOf)
  assert(links.length > 20)
  assert.deepEqual(links.filter(([file, link]) => !existsSync(join(root, dirname(file), link))), [])
})

test('the package brings the command line', () => {
  const demo = (name) => fileURLToPath(new URL(`../../tests/cli/${name}.json`, import.meta.url))
  const args = ['sendoff', 'verify', demo('request'), demo('reply'), '--deployment', demo('deployment')]
  const run = (...args) => spawnSync('npx', args, { cwd: folder, encoding: 'utf8' })
  const { stdout, status } = run(...args)
  assert.deepEqual([stdout.split('\n')[0], status], ['ok', 0])
  // Not npm's own help.
  assert.match(run('sendoff', '--help').stdout, /sendoff estimate REQUEST FACTS/)
})

test('the package contains its README', () => {
  const read = (path) => readFileSync(path, 'utf8')
  assert.equal(read(`${folder}/node_modules/sendoff/README.md`), read(new URL('../../bindings/sendoff-js/README.md', import.meta.url)))
})
