import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The bundle of these lines by esbuild, for browsers, unless `more` says otherwise. */
async function bundled(contents, more) {
  const stdin = { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) }
  const options = { bundle: true, minify: true, format: 'esm', platform: 'browser', write: false, logLevel: 'silent', ...more }
  const result = await build({ stdin, ...options })
  assert.deepEqual(result.warnings.filter(({ id }) => id !== 'ignored-bare-import'), [])
  return result.outputFiles[0].text
}

/** The number of WebAssembly modules in a bundle: its texts of more than 50,000 characters. */
const modulesIn = (text) => text.match(/[^"`\\]{50000,}/g)?.length ?? 0

test('an unused import adds nothing to a bundle', async () => {
  for (const line of [
    `import 'sendoff'`,
    `import { estimate, RateLimiter, OPERATIONS } from 'sendoff'`,
    `import { guardFetch } from 'sendoff/http'`,
    `import { RedisWindows } from 'sendoff/redis'`,
    `import { signable } from 'sendoff/sign'`,
    `import { estimate } from 'sendoff/text'`,
    `import 'sendoff/signature'`,
  ]) assert.equal(await bundled(line), '', line)
})

test('`sendoff/signature` has a module of its own, and `sendoff` does not contain it', async () => {
  const signature = `import { checkSignature } from 'sendoff/signature'; console.log(checkSignature);`
  const main = `import { readText } from 'sendoff'; console.log(readText);`
  const texts = await Promise.all([signature, main, signature + main].map((contents) => bundled(contents)))
  assert.deepEqual(texts.map(modulesIn), [1, 1, 2])
  assert.doesNotMatch(texts[1], /checkSignature/)
})

test('a page that only estimates has no twins and no schemas', async () => {
  const text = await bundled(`import { estimate } from 'sendoff'; console.log(estimate)`)
  assert(text.includes('"estimate"'))
  assert.doesNotMatch(text, /~standard|"signable"|ok:!0/)
  const [twin, schema] = await Promise.all([
    bundled(`import { safeEstimate } from 'sendoff'; console.log(safeEstimate)`),
    bundled(`import { EstimateRequest } from 'sendoff'; console.log(EstimateRequest)`),
  ])
  assert(twin.length - text.length < 1_000)
  // Of the JSON Schemas, those that it refers to.
  assert(schema.length - text.length < 10_000)
  assert.doesNotMatch(schema, /"Facts"|windowMs/)
})

test('a bundle that does not need the core has no wasm', async () => {
  const text = await bundled(`
    import { OPERATIONS, SendoffError } from 'sendoff'
    console.log(OPERATIONS, SendoffError)`)
  assert(text.length < 8_000, `expected less than 8 kB, found ${text.length} bytes`)
})

test('a bundle for browsers works without Node', async () => {
  const text = await bundled(`
    import { backend, readText } from 'sendoff'
    export const answer = [backend(), readText('quantity', '0x10').decimal]`)
  assert.doesNotMatch(text, /\bimport\s*[({"']|\brequire\s*\(/)
  const { answer } = await import(`data:text/javascript,${encodeURIComponent(text)}`)
  assert.deepEqual(answer, ['wasm', '16'])
})

test('a bundle for browsers does not look for an addon, and a bundle for Node does', async () => {
  const contents = `import { readText } from 'sendoff'; import { signable } from 'sendoff/sign'; console.log(readText, signable)`
  const addon = /createRequire|SENDOFF_BACKEND/
  assert.doesNotMatch(await bundled(contents), addon)
  assert.match(await bundled(contents, { platform: 'node' }), addon)
})

test('all entries share one core', async () => {
  const text = await bundled(`
    import { estimate } from 'sendoff'
    import { guardFetch } from 'sendoff/http'
    import { RedisWindows } from 'sendoff/redis'
    import { signable } from 'sendoff/text'
    console.log(estimate, guardFetch, RedisWindows, signable)`)
  assert.equal(modulesIn(text), 1)
})

test('a page that signs has only the smaller module', async () => {
  const [sign, whole] = await Promise.all(['sendoff/sign', 'sendoff'].map((entry) => bundled(`
    import { Deployment, EstimateRequest, describeCall, safeSignable, signable, verifyEstimate } from '${entry}'
    console.log(Deployment, EstimateRequest, describeCall, safeSignable, signable, verifyEstimate)`)))
  for (const text of [sign, whole]) assert.equal(modulesIn(text), 1)
  assert(sign.length < 0.75 * whole.length, `expected much less than ${whole.length} bytes, found ${sign.length}`)
})

test('the loop and the functions beside it share one core, with and without WebAssembly', async () => {
  for (const kind of ['', '/js']) {
    const text = await bundled(`import { flow } from 'sendoff${kind}/flow'; import { readText } from 'sendoff${kind}/sign'; console.log(flow, readText)`)
    const alone = await bundled(`import { readText } from 'sendoff${kind}/sign'; console.log(readText)`)
    assert(text.length - alone.length < 20_000, `${kind}: found ${text.length - alone.length} more bytes`)
    assert.equal(modulesIn(text), modulesIn(alone))
  }
})
