// node run.mjs: opens every page of the built site in Chromium, on a wide light screen and on a narrow dark one, and tests the search.
// There must be no console message, no request to other hosts, no content wider than the screen, and no finding of axe.

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { inChromium } from '../../tests/browser/chromium.mjs'
import { lookAt } from '../../tests/browser/person.mjs'

const SCREENS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
]

/** The pages of the playground, which VitePress did not make. They use the colour scheme of the screen. */
const PLAYGROUND = ['index.html', 'second.html']

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const [site, pictures] = [at('../../target/docs/site'), at('../../target/docs')]
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

mkdirSync(pictures, { recursive: true })
const pages = readdirSync(site, { recursive: true }).filter((path) => path.endsWith('.html') && path !== '404.html').sort()
const problems = []
await inChromium(site, (origin, browser) => Promise.all(SCREENS.map((screen) => visit(origin, browser, screen))))
for (const problem of problems) console.error(problem)
console.log(`${pages.length} pages on ${SCREENS.length} screens, ${problems.length} problems`)
process.exitCode = problems.length > 0 || pages.length === 0 ? 1 : 0

/** Opens every page on a screen, and searches. */
async function visit(origin, browser, { name, ...screen }) {
  const context = await browser.newContext({ ...screen, reducedMotion: 'reduce' })
  const page = await context.newPage()
  let place = ''
  const report = (what) => problems.push(`${place} (${name}): ${what}`)
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && report(`the console says: ${message.text()}`))
  page.on('pageerror', (error) => report(String(error)))
  page.on('request', (request) => /^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url()) || report(`it asks ${request.url()}`))
  page.on('response', (response) => response.ok() || response.status() === 304 || report(`${response.status()} ${response.url()}`))

  for (place of pages) {
    await page.goto(origin + place)
    if (PLAYGROUND.includes(place)) await page.locator('#swap:not(:empty), #waiting').waitFor()
    else {
      await page.waitForFunction("document.querySelector('#app').__vue_app__")
      const isDark = await page.evaluate("document.documentElement.classList.contains('dark')")
      if (isDark !== (name === 'dark')) report('it is in the other colours')
    }
    await page.evaluate(axe)
    const file = `${pictures}/${place.replace('.html', '').replaceAll('/', '-')}-${name}.png`
    await lookAt(page, place, file, [screen.viewport.width, 360, 1280]).catch(({ message }) => report(message))
  }
  place = 'look'
  await look(page, origin).catch((error) => report(error.message))
  place = 'search'
  await search(page, origin, `${pictures}/search-${name}.png`).catch((error) => report(error.message))
  await context.close()
}

/** The documentation has the mark, the colours and the fonts of the playground. */
async function look(page, origin) {
  const seen = (mark) => page.evaluate((mark) => {
    const { backgroundColor, color, fontFamily } = getComputedStyle(document.body)
    const accent = document.createElement('p')
    accent.style.color = 'var(--accent)'
    document.body.append(accent)
    const { src } = document.querySelector(mark)
    return { backgroundColor, color, fontFamily, accent: getComputedStyle(accent).color, mark: new URL(src).pathname }
  }, mark)
  await page.goto(`${origin}index.html`)
  const playground = await seen('.mark img')
  await page.goto(`${origin}guide.html`)
  await page.waitForFunction("document.querySelector('#app').__vue_app__")
  assert.deepEqual(await seen('.VPNavBarTitle .logo'), playground)
}

/** Finds `signable`, goes there by keyboard, changes the colours, and goes to the front page and back. */
async function search(page, origin, picture) {
  await page.goto(`${origin}guide.html`, { waitUntil: 'networkidle' })
  await page.locator('#local-search button').click()
  await page.getByRole('searchbox').fill('signable')
  const first = page.getByRole('option').first()
  await first.waitFor()
  assert.match(await first.innerText(), /signable|verify/i)
  await page.screenshot({ path: picture })
  await page.keyboard.press('Enter')
  await page.waitForURL(/\.html/)
  const isDark = () => page.evaluate("document.documentElement.classList.contains('dark')")
  const before = await isDark()
  await page.evaluate("document.querySelector('.VPSwitchAppearance').click()")
  assert.equal(await isDark(), !before, 'the colours change')

  // The logo links to the front page, which links back to the documentation.
  await page.locator('.VPNavBarTitle a').click()
  await page.waitForURL(/index\.html$/)
  await page.locator('#verdict').getByText('Verified').waitFor()
  await page.getByRole('link', { name: 'Docs' }).click()
  await page.waitForURL(/guide\.html$/)
}
