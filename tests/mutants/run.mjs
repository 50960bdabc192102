// Runs the tests of the source with the active mutant, and fails at the first file of tests that fails.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const root = at('../../bindings/sendoff-js')

const own = (...names) => names.map((name) => `test/${name}.test.mjs`)
const hosts = (...names) => names.map((name) => `examples/node-backend/tests/${name}.mjs`)

/** The tests of each source or folder, quick ones first. */
const TESTS = {
  'argument.ts': own('argument', 'rate-limiter', 'schema'),
  'backend.ts': own('argument', 'loading', 'native'),
  'error.ts': own('entries', 'argument'),
  'exchange.ts': own('argument', 'javascript'),
  'http': [...own('http', 'http-replies', 'host-options', 'host', 'host-forward'), ...hosts('bases', 'plugin', 'refusals', 'forward')],
  'imported.ts': own('loading'),
  'inlined.ts': own('entries', 'loading'),
  'javascript.ts': own('javascript'),
  'messages.ts': own('messages', 'sign'),
  'native.ts': own('argument', 'native'),
  'page.ts': own('bundle', 'loading', 'entries'),
  'process.ts': own('argument', 'loading', 'native'),
  'rate-limiter.ts': own('rate-limiter', 'trap', 'http'),
  'redis': [...own('redis'), ...hosts('windows')],
  'result.ts': own('entries', 'hostile'),
  'sandbox': own('sandbox', 'testing'),
  'sandbox.ts': own('sandbox', 'testing'),
  'schema.ts': own('schema', 'messages'),
  'server.ts': own('argument', 'loading', 'native'),
  'testing.ts': own('testing'),
  'text-coding-alone.ts': own('javascript'),
  'text-coding.ts': own('entries', 'loading'),
  'wasm.ts': own('trap', 'argument', 'entries', 'loading'),
}

/** How long each file took without a mutant, in milliseconds. */
const times = at('times.json')

/** This test looks for literals in the built code, where the mutants are as well. */
const ARGS = { 'test/loading.test.mjs': ['--test-name-pattern=^(?!no module has a top-level await|<root>)'] }

/** Runs a file of tests until its end, its first failure, or a limit in milliseconds. */
async function run(file, limit) {
  const begun = performance.now()
  const args = [...(ARGS[file] ?? []), '--test-reporter=tap', file]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  let failure
  // With all processes that the tests have started.
  const end = (why) => {
    failure ??= why
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  }
  child.once('exit', () => end())
  const timer = limit && setTimeout(end, limit, 'no end')
  createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('not ok') && end(line))
  const [status] = await once(child, 'close')
  clearTimeout(timer)
  end(status === 0 ? undefined : `status ${status}`)
  return { failure: failure && `${file}: ${failure}`, took: Math.ceil(performance.now() - begun) }
}

/** The tests of the sources whose text, as Stryker has written it, contains this. */
function testsOf(text) {
  const sources = readdirSync(`${root}/src`, { recursive: true }).filter((file) => file.endsWith('.ts'))
  const found = sources.filter((file) => readFileSync(`${root}/src/${file}`, 'utf8').includes(text))
  return new Set(found.flatMap((file) => TESTS[file.split('/')[0]]))
}

const fail = (why) => {
  console.log(why)
  process.exit(1)
}

const mutant = process.env.__STRYKER_ACTIVE_MUTANT__
if (mutant === undefined) {
  const took = {}
  for (const file of testsOf('stryMutAct')) {
    const result = await run(file)
    if (result.failure) fail(result.failure)
    took[file] = result.took
  }
  writeFileSync(times, JSON.stringify(took))
} else {
  const took = JSON.parse(readFileSync(times, 'utf8'))
  for (const file of testsOf(`("${mutant}")`)) {
    // A file that takes this long waits for something that the mutant prevents.
    const { failure } = await run(file, 5 * took[file] + 10_000)
    if (failure) fail(failure)
  }
}
