// node run.mjs GLUE: opens the page of this folder in Chromium, with the code that wasm-bindgen wrote into the folder GLUE.

import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { report } from '../../bindings/sendoff-js/suite.mjs'
import { suites } from '../../bindings/sendoff-js/suite-files.mjs'
import { inChromium, visit } from '../browser/chromium.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const site = at('../../target/page/site')

rmSync(site, { recursive: true, force: true })
for (const file of ['index.html', 'checks.mjs']) cpSync(at(file), `${site}/${file}`)
cpSync(at('../../bindings/sendoff-js/suite.mjs'), `${site}/suite.mjs`)
cpSync(process.argv[2], `${site}/glue`, { recursive: true })

const check = (page) => page.evaluate((given) => globalThis.check(given), suites([]))
const tallies = await inChromium(site, (address, browser) => visit(browser, address, 'check', check))
// Without this, a filter that selects nothing would pass.
for (const { suite, passed } of tallies) if (!(passed > 5)) throw new Error(`expected more than 5 checks in ${suite}, found ${passed}`)
process.exitCode = report(tallies) ? 0 : 1
