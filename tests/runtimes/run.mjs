// node run.mjs [--all]: tests the package, installed from its tarball, in the runtimes that take seconds, and compares the results
// with the README. --all: tests all runtimes, which takes minutes, and writes the README.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launch } from '../browser/chromium.mjs'
import { ground as laid } from './ground.mjs'
import { esbuild } from './rows/esbuild.mjs'
import { node } from './rows/node.mjs'
import { strict } from './rows/strict.mjs'
import { vite } from './rows/vite.mjs'
import { webpack } from './rows/webpack.mjs'
import { missing, written } from './table.mjs'

const README = fileURLToPath(new URL('../../README.md', import.meta.url))
const all = process.argv.includes('--all')
const large = all ? await import('./large/rows.mjs') : { nodes: [], runtimes: [] }

const ground = await laid()
const chromium = await launch()
const nodes = [{ version: process.versions.node, file: process.execPath }, ...large.nodes]
const runtimes = [node, esbuild, webpack, vite, strict, ...large.runtimes]
const rows = runtimes.flatMap((runtime) => runtime({ ground, chromium, nodes }))

const done = []
let failed = 0
for (const { runs, ...row } of rows) {
  const start = performance.now()
  const says = (how, what) => console.log(`${how.padEnd(7)}${seconds(start)} s  ${row.name}: ${what}`)
  try {
    if (!row.absent) Object.assign(row, await alike(runs))
    done.push(row)
    row.absent ? says('--', `not run, ${row.absent}`) : says('ok', row.backend)
  } catch (error) {
    failed++
    says('FAILED', error.message)
  }
}
await chromium.close()

const readme = readFileSync(README, 'utf8')
if (all && failed === 0) writeFileSync(README, written(readme, done))
for (const { name } of all ? [] : missing(readme, done)) {
  failed++
  console.log(`the README says nothing of this result of ${name}: \`cargo xtask runtimes\` writes its table`)
}
console.log(`\n${done.filter(({ absent }) => !absent).length} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** One report for all runs, which must be equal. */
async function alike(runs) {
  const reports = []
  for (const run of runs) reports.push(JSON.stringify(await run()))
  if (new Set(reports).size > 1) throw new Error(`expected reports that are alike, found ${reports.join(', ')}`)
  return JSON.parse(reports[0])
}

function seconds(start) {
  return ((performance.now() - start) / 1000).toFixed(1).padStart(5)
}
