// node run.mjs [--all]: tests the package, installed from its tarball, in the runtimes that take seconds, and compares the results with
// docs/reference/tables/platforms.md. --all: tests all runtimes, and writes the page.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launch } from '../browser/chromium.mjs'
import { ground as laid } from './ground.mjs'
import { esbuild } from './rows/esbuild.mjs'
import { node } from './rows/node.mjs'
import { vite } from './rows/vite.mjs'
import { webpack } from './rows/webpack.mjs'

const PAGE = fileURLToPath(new URL('../../docs/reference/tables/platforms.md', import.meta.url))
const MARKS = /(?<=<!-- runtimes -->\n)[^]*(?=<!-- \/runtimes -->)/
const isAll = process.argv.includes('--all')
const large = isAll ? await import('./large/rows.mjs') : { nodes: [], runtimes: [] }
const ground = laid()
const chromium = await launch()
const nodes = [{ version: process.versions.node, file: process.execPath }, ...large.nodes]
const rows = [node, esbuild, webpack, vite, ...large.runtimes].flatMap((runtime) => runtime({ ground, chromium, nodes }))

const page = readFileSync(PAGE, 'utf8')
/** The rows of the page. Their versions are not compared, because they differ between machines. */
const known = [...page.matchAll(/^\| (.*?) \| .* \| (\w+) \|$/gm)].map(([, name, backend]) => `${name}: ${backend}`)
const lines = ['| where | version | backend |', '|---|---|---|']
let failed = 0
for (const { name, version, runs } of rows) {
  const said = new Set()
  const tell = (what, word) => console.log(`${what.padEnd(7)}${name}: ${word}`)
  try {
    for (const run of runs) said.add(await run())
    const [backend, ...others] = said
    if (others.length > 0) throw new Error(`expected one backend, found ${[...said].join(', ')}`)
    if (!isAll && !known.includes(`${name}: ${backend}`)) throw new Error(`found ${backend}, which platforms.md does not say: \`cargo xtask codegen runtimes\` writes it`)
    lines.push(`| ${name} | ${version} | ${backend} |`)
    tell('ok', backend)
  } catch (error) {
    failed += 1
    tell('FAILED', error.message)
  }
}
await chromium.close()
if (isAll && failed === 0) writeFileSync(PAGE, page.replace(MARKS, () => `${lines.join('\n')}\n`))
console.log(`\n${rows.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
