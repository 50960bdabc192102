// node run.mjs [--all|--platforms|--engines]: tests the package, installed from its tarball, in the runtimes that take seconds, and
// compares the results with the README. --platforms: with the addon of each platform, after `cargo xtask addons`. --engines: in engines
// without WebAssembly and without a compiler, which takes minutes. --all: tests all runtimes, and writes the README and the times of
// docs/evidence/platforms.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launch } from '../browser/chromium.mjs'
import { ground as laid } from './ground.mjs'
import { esbuild } from './rows/esbuild.mjs'
import { node } from './rows/node.mjs'
import { platforms } from './rows/platforms.mjs'
import { strict } from './rows/strict.mjs'
import { vite } from './rows/vite.mjs'
import { webpack } from './rows/webpack.mjs'
import { missing, timesWritten, written } from './table.mjs'

const README = fileURLToPath(new URL('../../README.md', import.meta.url))
const TIMES = fileURLToPath(new URL('../../docs/evidence/platforms.md', import.meta.url))
const ADDONS = fileURLToPath(new URL('../../target/addons/files', import.meta.url))
const [all, onlyPlatforms, onlyEngines] = ['--all', '--platforms', '--engines'].map((name) => process.argv.includes(name))
const large = all ? await import('./large/rows.mjs') : { nodes: [], runtimes: [], absent: [] }
const engines = all || onlyEngines ? (await import('./engines/rows.mjs')).engines : []

const ground = await laid(all || onlyPlatforms ? ADDONS : undefined, all)
const chromium = onlyPlatforms || onlyEngines ? undefined : await launch()
const nodes = [{ version: process.versions.node, file: process.execPath }, ...large.nodes]
const quick = [node, esbuild, webpack, vite, strict]
const withAddons = all || onlyPlatforms ? [platforms] : []
const runtimes = [...(onlyPlatforms || onlyEngines ? [] : quick), ...large.runtimes, ...engines, ...large.absent, ...withAddons]
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
await chromium?.close()

const readme = readFileSync(README, 'utf8')
if (all && failed === 0) {
  writeFileSync(README, written(readme, done))
  writeFileSync(TIMES, timesWritten(readFileSync(TIMES, 'utf8'), done))
}
for (const { name } of all ? [] : missing(readme, done)) {
  failed++
  console.log(`the README says nothing of this result of ${name}: \`cargo xtask codegen runtimes\` writes its table`)
}
console.log(`\n${done.filter(({ absent }) => !absent).length} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** One report for all runs, which must be equal but for times: those of the first are kept. */
async function alike(runs) {
  const reports = []
  for (const run of runs) reports.push(await run())
  const texts = new Set(reports.map((report) => JSON.stringify({ ...report, times: undefined })))
  if (texts.size > 1) throw new Error(`expected reports that are alike, found ${[...texts].join(', ')}`)
  return reports[0]
}

function seconds(start) {
  return ((performance.now() - start) / 1000).toFixed(1).padStart(5)
}
