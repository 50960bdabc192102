// The jobs in a page in Chromium, with every library bundled as a site would bundle it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { launch } from '../tests/browser/chromium.mjs'
import { serving } from '../tests/browser/serving.mjs'

const here = (path) => new URL(path, import.meta.url).pathname
const folder = here('../target/bench')
const SIDES = { 'sendoff, wasm': './sendoff.mjs', 'ox + valibot': './ox-valibot.mjs', 'viem + zod': './viem-zod.mjs' }
/** The number of pages that are opened to measure the first call. */
const PAGES = 25

/** The times of each job by each library in one page, and of the first call of new pages. */
export async function inChromium(inputs, { rounds, count }) {
  mkdirSync(folder, { recursive: true })
  const sides = Object.entries(SIDES).map(([name, module], at) => ({ name, line: `import * as side${at} from '${module}'`, at }))
  await page('jobs', [
    ...sides.map(({ line }) => line),
    `import { JOBS, jobsOf, meaning, time } from './jobs.mjs'`,
    `const sides = { ${sides.map(({ name, at }) => `'${name}': jobsOf(side${at})`).join(', ')} }`,
    'globalThis.measure = (inputs, rounds, count) => {',
    '  const times = {}',
    '  for (const job of JOBS) {',
    '    const answers = Object.values(sides).map((jobs) => JSON.stringify(inputs.map((input) => meaning(jobs[job](input)))))',
    "    if (new Set(answers).size > 1) throw new Error('the sides answer ' + job + ' differently')",
    '    times[job] = Object.fromEntries(Object.keys(sides).map((name) => [name, []]))',
    '    for (let round = 0; round < rounds; round += 1)',
    '      for (const [name, jobs] of Object.entries(sides)) times[job][name].push(time(jobs[job], inputs, count) / count / 1000)',
    '  }',
    '  return times',
    '}',
  ])
  await page('first', [
    `import { signable } from '../bindings/sendoff-js/dist/sign.mjs'`,
    'globalThis.first = ({ request, reply, deployment }) => {',
    '  const start = performance.now()',
    '  signable(request, reply, deployment)',
    '  return performance.now() - start',
    '}',
  ])
  const browser = await launch()
  const version = browser.version()
  return serving(folder, visit).finally(() => browser.close())

  async function visit(address) {
    const open = async (name) => {
      const page = await browser.newPage()
      await page.goto(`${address}${name}.html`, { waitUntil: 'load' })
      return page
    }
    const page = await open('jobs')
    const times = await page.evaluate((args) => globalThis.measure(...args), [inputs, rounds, count])
    await page.close()
    const firsts = []
    for (let n = 0; n < PAGES; n += 1) {
      const page = await open('first')
      firsts.push(await page.evaluate((input) => globalThis.first(input), inputs[0]))
      await page.close()
    }
    firsts.sort((a, b) => a - b)
    return { times, first: firsts[PAGES >> 1], firstAtLeast: firsts[0], pages: PAGES, version }
  }
}

/** A page of one script, bundled. */
async function page(name, lines) {
  const stdin = { contents: lines.join('\n'), resolveDir: here('.') }
  const options = { bundle: true, format: 'esm', minify: true, platform: 'browser', outfile: `${folder}/${name}.js`, logLevel: 'error' }
  await build({ stdin, ...options })
  writeFileSync(`${folder}/${name}.html`, `<!doctype html><meta charset="utf-8"><script type="module" src="${name}.js"></script>`)
}
