// `cargo xtask size`: what a browser downloads, raw and compressed.
import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const sendoff = new URL('../bindings/sendoff-js', import.meta.url).pathname
const { outputFiles } = await build({
  stdin: { contents: "import { estimate } from 'sendoff'; console.log(estimate)", resolveDir: sendoff },
  bundle: true,
  format: 'esm',
  minify: true,
  platform: 'browser',
  write: false,
})
const rows = { 'the wasm alone': readFileSync(`${sendoff}/dist/sendoff.wasm`), 'a page that uses one function': outputFiles[0].contents }
for (const [name, bytes] of Object.entries(rows)) {
  const gzip = gzipSync(bytes, { level: 9 }).length
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length
  console.log(`${name.padEnd(30)} ${bytes.length} bytes, gzip ${gzip}, brotli ${brotli}`)
}
