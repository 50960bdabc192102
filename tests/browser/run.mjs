// node run.mjs [FILE|FOLDER…]: runs the suites with the package in Chromium, in an application that Vite builds. The package is
// installed from its tarball, as users install it.

import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { install } from '../../bindings/sendoff-js/pack.mjs'
import { report } from '../../bindings/sendoff-js/suite.mjs'
import { suites } from '../../bindings/sendoff-js/suite-files.mjs'
import { inChromium, visit } from './chromium.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const app = at('../../target/browser')

const given = suites(process.argv.slice(2))
install(app)
const files = ['page.mjs', '../runtimes/apps/index.html', '../../bindings/sendoff-js/suite.mjs']
for (const file of files) copyFileSync(at(file), join(app, basename(file)))
// The application fetches suites by their number.
mkdirSync(`${app}/public/suites`, { recursive: true })
given.forEach((suite, number) => writeFileSync(`${app}/public/suites/${number}.json`, JSON.stringify(suite)))
await build({ root: app, logLevel: 'warn' })

const tallies = await inChromium(`${app}/dist`, (address, browser) =>
  visit(browser, address, 'runSuite', async (page) => {
    console.log(`Chromium ${browser.version()}, ${await page.evaluate('backend()')}`)
    const tallies = []
    for (const number of given.keys()) tallies.push(await page.evaluate(`runSuite('/suites/${number}.json')`))
    return tallies
  }),
)
process.exitCode = report(tallies) ? 0 : 1
