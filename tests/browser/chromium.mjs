import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { serving } from './serving.mjs'

export const CHROMIUM = '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']
const QUIET = ['--disable-sync', '--disable-quic', '--no-first-run']

/** Debian's Chromium. */
export function launch() {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is not there: \`apt-get install chromium\` installs it`)
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...QUIET] })
}

/** What `use` returns for the address of a served folder, and Chromium; with an optional Content-Security-Policy. */
export async function inChromium(folder, use, policy) {
  const browser = await launch()
  return serving(folder, (address) => use(address, browser), policy).finally(() => browser.close())
}

/**
 * Opens the page at an address, and returns what `use` does of it, once the page has a global of this name. By default that is a function,
 * which is called. A page that does not start says why.
 */
export async function visit(browser, address, name, use = (page) => page.evaluate(`${name}()`)) {
  const page = await browser.newPage()
  const complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  try {
    await page.goto(address)
    await page.waitForFunction(`globalThis.${name}`, { timeout: 20_000 }).catch(() => {
      throw new Error(`the page did not start: ${complaints.join('; ') || 'no error was shown'}`)
    })
    return await use(page)
  } finally {
    await page.close()
  }
}
