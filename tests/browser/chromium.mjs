import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

export const CHROMIUM = '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']
const QUIET = ['--disable-sync', '--disable-quic', '--no-first-run']

/** Debian's Chromium. */
export function launch() {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is not there: \`apt-get install chromium\` installs it`)
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...QUIET] })
}
