// node weigh.mjs GLUE...: what a page in Rust downloads, beside a page with the npm package that does the same. GLUE is a folder that
// wasm-bindgen wrote: `texts` has `signableText`, `values` has `signable`. Both may be a fifth larger.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { optimize, SMALL } from '../../bindings/sendoff-js/modules.mjs'
import { build } from '../../bindings/sendoff-js/node_modules/esbuild/lib/main.js'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const { cases } = JSON.parse(readFileSync(at('../vectors/signable.json'), 'utf8'))
const { args, ok } = cases.find(({ call, ok, args }) => call === 'signable' && ok && args.every((document) => typeof document === 'object'))
const call = {
  texts: ({ signableText }) => JSON.parse(signableText(...args.map((document) => JSON.stringify(document)))),
  values: ({ signable }) => signable(...args),
}

const npm = weight([await bundled({ contents: `import { signable } from 'sendoff/sign'; console.log(signable)`, resolveDir: at('../../bindings/sendoff-js') })])
const show = (name, { gzip, brotli }) => console.log(`${name}: gzip ${gzip}, brotli ${brotli}, ${(gzip / npm.gzip).toFixed(2)} of the npm package's page`)
show('sendoff/sign of the npm package', npm)
for (const glue of process.argv.slice(2).map((folder) => resolve(folder))) {
  const kind = basename(glue)
  const module = `${glue}/small.wasm`
  optimize(`${glue}/page_bg.wasm`, module, [...SMALL, '--strip-debug', '--strip-producers', '--strip-target-features'])

  // What is weighed answers.
  const page = await import(pathToFileURL(`${glue}/page.js`))
  page.initSync({ module: readFileSync(module) })
  assert.equal(call[kind](page).digest, ok.digest)

  const name = { texts: 'signableText', values: 'signable' }[kind]
  const code = await bundled({ contents: `import init, { ${name} } from './page.js'; await init(); console.log(${name})`, resolveDir: glue })
  const found = weight([readFileSync(module), code])
  show(`sendoff-web with ${kind}`, found)
  assert(found.gzip <= 1.2 * npm.gzip, `expected at most 1.2 of the npm package's page, found ${found.gzip} of ${npm.gzip}`)
}

/** The code of a page. */
async function bundled(stdin) {
  const options = { bundle: true, format: 'esm', minify: true, platform: 'browser', target: 'esnext', write: false }
  return (await build({ stdin, ...options })).outputFiles[0].contents
}

/** Files are compressed one by one, as servers do. */
function weight(files) {
  const sum = (compress) => files.reduce((bytes, file) => bytes + compress(file).length, 0)
  return { gzip: sum((file) => gzipSync(file, { level: 9 })), brotli: sum((file) => brotliCompressSync(file)) }
}
