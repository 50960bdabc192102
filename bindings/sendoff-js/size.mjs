// node size.mjs [--check|--write]: what a browser downloads, raw and compressed. Without --check the pages of bench that do the
// client's job with public packages are beside it. --write: the figures are written to docs/pictures, for the plot.
//
// --check: no size is more than size.json allows, and the figures in docs/pictures and in the documents are those of this build.
// They have three digits and may be 2 % off, so that not every change of the core changes them.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const budget = JSON.parse(readFileSync(at('size.json'), 'utf8'))

/** The size of the bundle of a page that uses this function of this entry. */
function page(entry, name) {
  return bundled(`import { ${name} } from '${entry}'; console.log(${name})`, ['module'])
}

async function bundled(contents, conditions) {
  const options = { bundle: true, format: 'esm', minify: true, platform: 'browser', write: false, conditions }
  return (await build({ stdin: { contents, resolveDir: at('.') }, ...options })).outputFiles[0].contents
}

/** The bundle of a page that uses `sendoff` and `sendoff/sandbox`, which share one module. */
function pocket() {
  const contents = `import { signable } from 'sendoff'; import { Sandbox } from 'sendoff/sandbox'; console.log(signable, Sandbox)`
  return bundled(contents, ['module', 'sendoff-sandbox'])
}

// What was weighed before has the same weight: to compress everything takes 7 s.
const WEIGHED = at('../../target/weighed.json')
const weighed = existsSync(WEIGHED) ? JSON.parse(readFileSync(WEIGHED, 'utf8')) : {}
const now = {}

function weight(bytes) {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return (now[sha256] = weighed[sha256] ?? compressed(bytes))
}

function compressed(bytes) {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes, brotli).length }
}

const found = {
  'the wasm of sendoff, alone': weight(readFileSync(at('dist/sendoff.wasm'))),
  'the wasm of sendoff/sign, alone': weight(readFileSync(at('dist/sign.wasm'))),
  'a page with signable of sendoff': weight(await page('sendoff', 'signable')),
  'a page with signable of sendoff/sign': weight(await page('sendoff/sign', 'signable')),
  'a page with estimate of sendoff/text': weight(await page('sendoff/text', 'estimate')),
  'a page with signable of sendoff/js/sign': weight(await page('sendoff/js/sign', 'signable')),
  'a page with signable of sendoff/js': weight(await page('sendoff/js', 'signable')),
  'a page that checks a signature': weight(await page('sendoff/signature', 'checkSignature')),
  'a page with sendoff and Sandbox of sendoff/sandbox': weight(await pocket()),
  'a page with a deployment of sendoff/deployments': weight(await page('sendoff/deployments', 'deployments')),
  'a page with flow of sendoff/flow': weight(await page('sendoff/flow', 'flow')),
  'guardFetch of sendoff/http, with the core': weight(await page('sendoff/http', 'guardFetch')),
  'RedisWindows of sendoff/redis, with the core': weight(await page('sendoff/redis', 'RedisWindows')),
}
const checks = process.argv.includes('--check')
if (!checks) {
  const peer = (name) => page(at(`../../bench/${name}.mjs`), 'client')
  found['the job of signable with ox + valibot'] = weight(await peer('ox-valibot'))
  found['the job of signable with viem + zod'] = weight(await peer('viem-zod'))
}
writeFileSync(WEIGHED, JSON.stringify(now))
for (const [name, sizes] of Object.entries(found)) {
  const columns = Object.entries(sizes).map(([kind, bytes]) => `${kind} ${bytes}`)
  const over = ['gzip', 'brotli'].filter((kind) => sizes[kind] > budget[name]?.[kind])
  const complaints = over.map((kind) => `; more than ${budget[name][kind]} as ${kind}`)
  console.log(`${name.padEnd(54)} ${columns.join(', ')}${complaints.join('')}`)
  if (over.length > 0 && checks) process.exitCode = 1
}

const FIGURES = at('../../docs/pictures/size.json')
if (checks) {
  const stale = [...figures(), ...documents()].filter(({ said, is }) => !(Math.abs(said - is) <= Math.max(is * 0.02, 50)))
  for (const { where, said, is } of stale) console.log(`${where}: found ${said} bytes, expected ${is}`)
  if (stale.length > 0) {
    console.log('`cargo xtask codegen size` writes docs/pictures; the documents are written by hand')
    process.exitCode = 1
  }
} else if (process.argv.includes('--write')) {
  const rounded = (sizes) => Object.fromEntries(Object.entries(sizes).map(([kind, bytes]) => [kind, Number(bytes.toPrecision(3))]))
  const measured = Object.fromEntries(Object.entries(found).map(([name, sizes]) => [name, rounded(sizes)]))
  writeFileSync(FIGURES, `${JSON.stringify({ unit: 'bytes', measured }, null, 2)}\n`)
}

/** The figures of the plot, beside what was built. */
function figures() {
  const { measured } = JSON.parse(readFileSync(FIGURES, 'utf8'))
  const kinds = Object.entries(found).flatMap(([name, sizes]) => Object.keys(sizes).map((kind) => [name, kind]))
  return kinds.map(([name, kind]) => ({ where: `docs/pictures/size.json, ${name}, ${kind}`, said: measured[name]?.[kind], is: found[name][kind] }))
}

/** The kilobytes that the documents state, beside what was built. A kilobyte is as exact as they are. */
function documents() {
  const page = (entry) => `a page with ${entry}`
  const statements = [
    ['docs/guide.md', /^\| `sendoff\/sign` \|.* (\d+) kB \|$/m, page('signable of sendoff/sign'), 'gzip'],
    ['docs/guide.md', /^\| `sendoff` \|.* (\d+) kB \|$/m, page('signable of sendoff'), 'gzip'],
    ['docs/guide.md', /^\| `sendoff\/text` \|.* (\d+) kB \|$/m, page('estimate of sendoff/text'), 'gzip'],
    ['docs/guide.md', /^\| `sendoff\/sandbox` \|.* (\d+) kB with `sendoff`/m, page('sendoff and Sandbox of sendoff/sandbox'), 'gzip'],
  ]
  return statements.map(([file, statement, name, kind]) => {
    const [, kilobytes] = statement.exec(readFileSync(at(`../../${file}`), 'utf8')) ?? []
    if (!kilobytes) throw new Error(`${file}: expected ${statement}, found no such text`)
    return { where: `${file}, ${name}, ${kind}`, said: kilobytes * 1_000, is: found[name][kind] }
  })
}
