// node run.mjs [--all|--engines]: tests the package, installed from its tarball, in the runtimes that take seconds, and
// compares the results with docs/reference/tables/platforms.md. --engines: in engines without WebAssembly and without a compiler, which takes
// minutes. --all: tests all runtimes, measures times, and writes the page.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launch } from '../browser/chromium.mjs'
import { ground as laid } from './ground.mjs'
import { alike } from './program.mjs'
import { esbuild } from './rows/esbuild.mjs'
import { node } from './rows/node.mjs'
import { strict } from './rows/strict.mjs'
import { vite } from './rows/vite.mjs'
import { webpack } from './rows/webpack.mjs'
import { missing, written } from './table.mjs'

const PAGE = fileURLToPath(new URL('../../docs/reference/tables/platforms.md', import.meta.url))
const [all, onlyEngines] = ['--all', '--engines'].map((name) => process.argv.includes(name))
const large = all ? await import('./large/rows.mjs') : { nodes: [], runtimes: [] }
const engines = all || onlyEngines ? (await import('./engines/rows.mjs')).engines : []

const ground = await laid(all)
const chromium = onlyEngines ? undefined : await launch()
const nodes = [{ version: process.versions.node, file: process.execPath }, ...large.nodes]
const quick = [node, esbuild, webpack, vite, strict]
const runtimes = [...(onlyEngines ? [] : quick), ...large.runtimes, ...engines]
const rows = runtimes.flatMap((runtime) => runtime({ ground, chromium, nodes }))

const done = []
let failed = 0
for (const { runs, ...row } of rows) {
  const start = performance.now()
  const says = (how, what) => console.log(`${how.padEnd(7)}${seconds(start)} s  ${row.name}: ${what}`)
  try {
    const reports = []
    for (const run of runs) reports.push(await run())
    Object.assign(row, alike(reports))
    done.push(row)
    says('ok', row.backend)
  } catch (error) {
    failed++
    says('FAILED', error.message)
  }
}
await chromium?.close()

const page = readFileSync(PAGE, 'utf8')
if (all && failed === 0) writeFileSync(PAGE, written(page, done))
for (const { name } of all ? [] : missing(page, done)) {
  failed++
  console.log(`docs/reference/tables/platforms.md has another result of ${name}, or none: \`cargo xtask codegen runtimes\` writes it`)
}
console.log(`\n${done.length} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function seconds(start) {
  return ((performance.now() - start) / 1000).toFixed(1).padStart(5)
}
