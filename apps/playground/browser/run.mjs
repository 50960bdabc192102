// node browser/run.mjs [one|others|files|dashboard]: tests the page that `npm run build` made in Chromium, on small and large screens, with
// light and dark colours: on `one` screen, on the `others`, or on all. `files` needs no gateway; else it is that of the demonstration.
// Screenshots are in target/playground.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ADMIN_TOKEN, started, TOKEN } from '../../../crates/xtask/src/host.mjs'
import { launch } from '../../../tests/browser/chromium.mjs'
import { hear, lookAt } from '../../../tests/browser/person.mjs'
import { serving } from '../../../tests/browser/serving.mjs'
import { walkDashboard } from './dashboard.mjs'
import { walkForm } from './form.mjs'
import { walkGateway } from './gateway.mjs'
import { walkLimit } from './limit.mjs'
import { walkSecond } from './second.mjs'
import { walkShare } from './share.mjs'
import { walkStory } from './story.mjs'

const [choice] = process.argv.slice(2)
const { demo: GATEWAY, admin: ADMIN } = choice === 'files' ? {} : await started(choice === 'dashboard')

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const shots = at('../../../target/playground')
mkdirSync(shots, { recursive: true })

const SCREENS = [[360, 'dark'], [1280, 'light'], [360, 'light'], [1280, 'dark']]
const chosen = { one: SCREENS.slice(0, 1), others: SCREENS.slice(1) }[choice] ?? SCREENS

const browser = await launch()
try {
  console.log(`Chromium ${browser.version()}`)
  for (const screen of chosen) {
    if (choice === 'dashboard') await on(screen, 'the dashboard', admin)
    else await on(screen, 'without a gateway', files)
    if (!['dashboard', 'files'].includes(choice)) await on(screen, 'with a gateway', gateway)
  }
} finally {
  await browser.close()
}
// The gateway ends with this process.
process.exit()

/** A test on one screen, whose pages complain about nothing. */
async function on([width, colorScheme], name, test) {
  const began = performance.now()
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
  // The page's policy forbids scripts of other origins.
  await context.addInitScript({ path: at('../node_modules/axe-core/axe.min.js') })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const complaints = []
  const open = async (address) => {
    const page = await context.newPage()
    hear(page, complaints)
    await page.goto(address)
    return [page, (state) => lookAt(page, state, `${shots}/${width}-${colorScheme}-${state}.png`, [width, 320])]
  }
  await test(open, width, colorScheme)
  assert.deepEqual(complaints, [])
  await context.close()
  console.log(`${width} pixels, ${colorScheme}, ${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`)
}

/** With a gateway, and a second device. */
async function gateway(open) {
  const [page, look] = await open(`${GATEWAY}/playground/#token=${encodeURIComponent(TOKEN)}`)
  const [second, lookAtSecond] = await open(`${GATEWAY}/playground/second.html`)
  await page.bringToFront()
  await walkSecond(page, second, lookAtSecond)
  await second.close()
  await page.reload()
  await walkGateway(page, look)
}

/** The dashboard. */
async function admin(open, width, colorScheme) {
  const [page, look] = await open(`${ADMIN}/dashboard`)
  const isFirst = width === 360 && colorScheme === 'dark'
  await walkDashboard(page, look, { gateway: GATEWAY, admin: ADMIN, token: ADMIN_TOKEN, name: `shop-${width}-${colorScheme}`, isFirst })
}

/** With a server of static files alone. */
async function files(open) {
  await serving(at('../dist'), async (origin) => {
    const [page, look] = await open(origin)
    // The files of the page are loaded, and there must be no further request, except for the icon.
    const requests = []
    page.on('request', (request) => request.url().endsWith('/icon.svg') || requests.push(request.url()))
    for (const walk of [walkStory, walkForm, walkLimit, walkShare]) await walk(page, look)
    assert.deepEqual(requests, [])
  })
}
