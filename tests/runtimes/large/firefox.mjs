import { execFileSync } from 'node:child_process'
import { launch } from 'puppeteer-core'
import { build } from 'vite'
import { visited } from '../page.mjs'

const FIREFOX = '/usr/bin/firefox-esr'

/** Debian's Firefox, with Vite's build. */
export function firefox({ ground }) {
  const version = execFileSync(FIREFOX, ['--version'], { encoding: 'utf8' }).match(/[\d.]+/)[0]
  const runs = ['onPage', 'inWorker'].map((place) => () => built(`${ground.wasm}/page`, place))
  return [{ name: 'Firefox, Vite, production build, page and Worker', version, runs }]
}

async function built(root, place) {
  await build({ root, base: './', logLevel: 'error', configFile: false })
  const browser = await launch({ browser: 'firefox', executablePath: FIREFOX, headless: true })
  try {
    return await visited(browser, `${root}/dist`, place)
  } finally {
    await browser.close()
  }
}
