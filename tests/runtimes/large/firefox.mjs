import { execFileSync } from 'node:child_process'
import { launch } from 'puppeteer-core'
import { visited } from '../page.mjs'

const FIREFOX = '/usr/bin/firefox-esr'

/** Debian's Firefox, with the build that rows/vite.mjs has made. */
export function firefox({ ground }) {
  const version = execFileSync(FIREFOX, ['--version'], { encoding: 'utf8' }).match(/[\d.]+/)[0]
  const run = async (place) => {
    const browser = await launch({ browser: 'firefox', executablePath: FIREFOX, headless: true })
    return visited(browser, `${ground.wasm}/page/dist`, place).finally(() => browser.close())
  }
  return [{ name: 'Firefox, Vite, production build, page and Worker', version, runs: [() => run('onPage'), () => run('inWorker')] }]
}
