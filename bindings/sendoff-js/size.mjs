// node size.mjs [--check]: what a browser downloads, raw and compressed; --check: not more than size.json allows. Without it
// the pages of tests/bench that do the client's job with public packages are beside it, and the figures are left in
// docs/pictures, for the plot.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const budget = JSON.parse(readFileSync(at('size.json'), 'utf8'))

/** The size of the bundle of a page that uses this function of this entry. */
async function page(entry, name) {
  const stdin = { contents: `import { ${name} } from '${entry}'; console.log(${name})`, resolveDir: at('.') }
  const options = { bundle: true, format: 'esm', minify: true, platform: 'browser', write: false }
  return (await build({ stdin, ...options })).outputFiles[0].contents
}

function weight(bytes) {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  const compressed = { gzip: gzipSync(bytes, { level: 9 }), brotli: brotliCompressSync(bytes, brotli) }
  return { raw: bytes.length, gzip: compressed.gzip.length, brotli: compressed.brotli.length }
}

const found = {
  'the wasm of sendoff, alone': weight(readFileSync(at('dist/sendoff.wasm'))),
  'the wasm of sendoff/sign, alone': weight(readFileSync(at('dist/sign.wasm'))),
  'a page with signable of sendoff': weight(await page('sendoff', 'signable')),
  'a page with signable of sendoff/sign': weight(await page('sendoff/sign', 'signable')),
  'a page with estimate of sendoff/text': weight(await page('sendoff/text', 'estimate')),
  'a page with signable of sendoff/url, without the wasm': weight(await page('sendoff/url', 'signable')),
  'a page that checks a signature': weight(await page('sendoff/signature', 'checkSignature')),
  'a page with a deployment of sendoff/deployments': weight(await page('sendoff/deployments', 'deployments')),
  'guardFetch of sendoff/http, with the core': weight(await page('sendoff/http', 'guardFetch')),
  'RedisWindows of sendoff/redis, with the core': weight(await page('sendoff/redis', 'RedisWindows')),
}
const checks = process.argv.includes('--check')
if (!checks) {
  const peer = (name) => page(at(`../../tests/bench/${name}.mjs`), 'client')
  found['the job of signable with ox + valibot'] = weight(await peer('ox-valibot'))
  found['the job of signable with viem + zod'] = weight(await peer('viem-zod'))
}
for (const [name, sizes] of Object.entries(found)) {
  const columns = Object.entries(sizes).map(([kind, bytes]) => `${kind} ${bytes}`)
  const over = ['gzip', 'brotli'].filter((kind) => sizes[kind] > budget[name]?.[kind])
  const complaints = over.map((kind) => `; more than ${budget[name][kind]} as ${kind}`)
  console.log(`${name.padEnd(54)} ${columns.join(', ')}${complaints.join('')}`)
  if (over.length > 0 && checks) process.exitCode = 1
}

if (!checks) {
  const figures = { unit: 'bytes', measured: found }
  writeFileSync(at('../../docs/pictures/size.json'), `${JSON.stringify(figures, null, 2)}\n`)
}
