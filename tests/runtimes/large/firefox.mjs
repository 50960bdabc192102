import { execFileSync } from 'node:child_process'
import { launch } from 'puppeteer-core'
import { build } from 'vite'
import { report, serving } from '../page.mjs'

const FIREFOX = '/usr/bin/firefox-esr'

/** Debian's Firefox, with Vite's build. */
export function firefox({ ground }) {
  const version = execFileSync(FIREFOX, ['--version'], { encoding: 'utf8' }).match(/[\d.]+/)[0]
  const runs = ['onPage', 'inWorker'].map((place) => () => visited(`${ground.wasm}/page`, place))
  return [{ name: 'Firefox, Vite, production build, page and Worker', version, runs }]
}

async function visited(root, place) {
  await build({ root, base: './', logLevel: 'error', configFile: false })
  const browser = await launch({ browser: 'firefox', executablePath: FIREFOX, headless: true })
  try {
    return await serving(`${root}/dist`, (address) => report(browser, address, place))
  } finally {
    await browser.close()
  }
}
