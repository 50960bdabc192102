// The jobs in pages in Chromium, with every library bundled as a site would bundle it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { inChromium } from '../tests/browser/chromium.mjs'

const here = (path) => new URL(path, import.meta.url).pathname
const folder = here('../target/bench')
const SIDES = { 'sendoff, wasm': './sendoff.mjs', 'ox + valibot': './ox-valibot.mjs', 'viem + zod': './viem-zod.mjs' }
/** The number of pages that are opened to measure the first call. */
const PAGES = 25

/** Calls `measure` with the sides, each in a page of its own, and returns the times of the first call of new pages with this input. */
export async function inPages(input, measure) {
  mkdirSync(folder, { recursive: true })
  for (const [at, module] of Object.values(SIDES).entries()) {
    await page(`side${at}`, `import { asked } from './jobs.mjs'\nimport * as library from '${module}'\nglobalThis.ask = asked(library)`)
  }
  await page('first', `import { signable } from '../bindings/sendoff-js/dist/sign.mjs'
globalThis.first = ({ request, reply, deployment }) => {
  const start = performance.now()
  signable(request, reply, deployment)
  return performance.now() - start
}`)
  return inChromium(folder, async (address, browser) => {
    const open = async (name) => {
      const page = await browser.newPage()
      await page.goto(`${address}${name}.html`, { waitUntil: 'load' })
      return page
    }
    const sides = []
    for (const [at, name] of Object.keys(SIDES).entries()) {
      const page = await open(`side${at}`)
      sides.push({ name, ask: (line) => page.evaluate((line) => globalThis.ask(line), line) })
    }
    await measure(sides)
    const firsts = []
    for (let n = 0; n < PAGES; n += 1) {
      const page = await open('first')
      firsts.push(await page.evaluate((input) => globalThis.first(input), input))
      await page.close()
    }
    firsts.sort((a, b) => a - b)
    return { first: firsts[PAGES >> 1], firstAtLeast: firsts[0], pages: PAGES, version: browser.version() }
  })
}

/** A page of one script, bundled. */
async function page(name, contents) {
  const stdin = { contents, resolveDir: here('.') }
  const options = { bundle: true, format: 'esm', minify: true, platform: 'browser', outfile: `${folder}/${name}.js`, logLevel: 'error' }
  await build({ stdin, ...options })
  writeFileSync(`${folder}/${name}.html`, `<!doctype html><meta charset="utf-8"><script type="module" src="${name}.js"></script>`)
}
