// node run.mjs [FILE|FOLDER…]: runs the suites with the package in Chromium, in an application that Vite builds. The package is
// installed from its tarball, as users install it.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { report } from '../../bindings/sendoff-js/suite.mjs'
import { suites } from '../../bindings/sendoff-js/suite-files.mjs'
import { launch } from './chromium.mjs'
import { serving } from './serving.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const sources = at('../../bindings/sendoff-js')
const app = at('../../target/browser')

const given = suites(process.argv.slice(2))
install()
// The application fetches suites by their number.
mkdirSync(`${app}/public/suites`, { recursive: true })
given.forEach((suite, number) => writeFileSync(`${app}/public/suites/${number}.json`, JSON.stringify(suite)))
await build({ root: app, logLevel: 'warn' })
const browser = await launch()
const tallies = await serving(`${app}/dist`, visit).finally(() => browser.close())
process.exitCode = report(tallies) ? 0 : 1

/** Copies the application to target/ and installs the package there. */
function install() {
  rmSync(app, { recursive: true, force: true })
  mkdirSync(app, { recursive: true })
  const npm = (...args) => execFileSync('npm', [...args, '--loglevel=error'], { cwd: app, encoding: 'utf8' })
  const [{ filename }] = JSON.parse(npm('pack', sources, '--json'))
  cpSync(at('app'), app, { recursive: true })
  cpSync(`${sources}/suite.mjs`, `${app}/suite.mjs`)
  writeFileSync(`${app}/package.json`, '{ "private": true, "type": "module" }\n')
  npm('install', `./${filename}`, '--offline', '--no-audit', '--no-fund')
}

/** Opens the application, which runs every suite. */
async function visit(address) {
  const page = await browser.newPage()
  const complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(address, { waitUntil: 'load' })
  await page.waitForFunction('globalThis.runSuite', undefined, { timeout: 20_000 }).catch(() => {
    throw new Error(`the page did not start: ${complaints.join('; ') || 'no error was shown'}`)
  })
  console.log(`Chromium ${browser.version()}, ${await page.evaluate('backend()')}`)
  const tallies = []
  for (const number of given.keys()) tallies.push(await page.evaluate(`runSuite('/suites/${number}.json')`))
  return tallies
}
