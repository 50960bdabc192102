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

/** The bundle of a page that uses these values of an entry. */
const using = (entry, ...names) => bundled(`import { ${names} } from '${entry}'; console.log(${names})`)

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

test('a bundle has the modules that it needs, once', async () => {
  for (const [count, ...entries] of [
    [1, 'sendoff'],
    [1, 'sendoff/sign'],
    [1, 'sendoff', 'sendoff/http', 'sendoff/redis', 'sendoff/text'],
    // Its own, and none of the core.
    [1, 'sendoff/signature'],
    [2, 'sendoff', 'sendoff/signature'],
  ]) {
    const lines = entries.map((entry, at) => `import * as part${at} from '${entry}'; console.log(part${at})`)
    assert.equal(modulesIn(await bundled(lines.join('\n'))), count, entries.join())
  }
})

test('a page that only estimates has no twins and no schemas', async () => {
  const [text, twin, schema] = await Promise.all(['estimate', 'safeEstimate', 'EstimateRequest'].map((name) => using('sendoff', name)))
  assert(text.includes('"estimate"'))
  assert.doesNotMatch(text, /~standard|"signable"|ok:!0/)
  assert(twin.length - text.length < 1_000)
  // Of the JSON Schemas, those that it refers to.
  assert(schema.length - text.length < 10_000)
  assert.doesNotMatch(schema, /"Facts"|windowMs/)
})

test('a bundle that does not need the core has no wasm', async () => {
  const text = await using('sendoff', 'OPERATIONS', 'SendoffError')
  assert(text.length < 8_000, `expected less than 8 kB, found ${text.length} bytes`)
})

test('a bundle for browsers works without Node, and looks for no addon', async () => {
  const contents = `
    import { backend, readText } from 'sendoff'
    export const answer = [backend(), readText('quantity', '0x10').decimal]`
  const text = await bundled(contents)
  const addon = /createRequire|SENDOFF_BACKEND/
  assert.doesNotMatch(text, /\bimport\s*[({"']|\brequire\s*\(/)
  assert.doesNotMatch(text, addon)
  assert.match(await bundled(contents, { platform: 'node' }), addon)
  const { answer } = await import(`data:text/javascript,${encodeURIComponent(text)}`)
  assert.deepEqual(answer, ['wasm', '16'])
})

test('the loop and the functions beside it share one core, with and without WebAssembly', async () => {
  for (const kind of ['', '/js']) {
    const text = await bundled(`import { flow } from 'sendoff${kind}/flow'; import { readText } from 'sendoff${kind}/sign'; console.log(flow, readText)`)
    const alone = await using(`sendoff${kind}/sign`, 'readText')
    assert(text.length - alone.length < 20_000, `${kind}: found ${text.length - alone.length} more bytes`)
    assert.equal(modulesIn(text), modulesIn(alone))
  }
})
