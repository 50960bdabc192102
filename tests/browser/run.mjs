// node run.mjs [FILE|FOLDER…]: the suites through the package in Chromium, by an application that Vite builds and
// that imports the package as people do: installed from its packed tarball.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { build } from 'vite'
import { report } from '../../bindings/sendoff-js/suite.mjs'
import { suites } from '../../bindings/sendoff-js/suite-files.mjs'

const CHROMIUM = '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']
const QUIET = ['--disable-sync', '--disable-quic', '--no-first-run']

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const sources = at('../../bindings/sendoff-js')
const app = at('../../target/browser')

if (!existsSync(CHROMIUM)) {
  console.error(`${CHROMIUM} is not there: the test in a browser needs it, \`apt-get install chromium\` installs it`)
  process.exit(1)
}

const given = suites(process.argv.slice(2))
install()
await build({ root: app, logLevel: 'warn' })
const server = await serve()
const tallies = await visit(`http://127.0.0.1:${server.address().port}/`)
server.close()
process.exitCode = report(tallies) ? 0 : 1

/** Lays the application out under target/ and installs the package there. */
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

/** Serves the built application, and the suites by their number. */
function serve() {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json' }
  const server = createServer(({ url }, response) => {
    const [, number] = /^\/suites\/(\d+)$/.exec(url) ?? []
    const file = join(app, 'dist', url === '/' ? 'index.html' : url)
    if (!number && !existsSync(file)) return response.writeHead(404).end()
    const [type, content] = number ? ['.json', JSON.stringify(given[number])] : [extname(file), readFileSync(file)]
    response.writeHead(200, { 'content-type': types[type] }).end(content)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/** Opens the application and has it run every suite. */
async function visit(address) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...QUIET] })
  try {
    const page = await browser.newPage()
    const complaints = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(address, { waitUntil: 'load' })
    await page.waitForFunction('globalThis.runSuite', undefined, { timeout: 20_000 }).catch(() => {
      throw new Error(`the page did not start: ${complaints.join('; ') || 'no error was shown'}`)
    })
    console.log(`Chromium ${browser.version()}, ${await page.evaluate('backend()')}`)
    const tallies = []
    for (const number of given.keys()) tallies.push(await page.evaluate(`runSuite('/suites/${number}')`))
    return tallies
  } finally {
    await browser.close()
  }
}
