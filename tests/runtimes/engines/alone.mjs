import { availableParallelism } from 'node:os'
import { build } from 'esbuild'

/** How many programs share the vectors: an engine that interprets takes minutes for all. */
export const SHARES = Math.min(availableParallelism(), 4)

/** Runs all vectors with an engine, a share of them in each of its programs, and returns one report. `run` is told which share. */
export async function shared(engine, run) {
  const start = performance.now()
  const ran = async (share) => {
    const { error, ...report } = JSON.parse(await run(share))
    if (error) throw new Error(error)
    console.log(`        ${engine}: share ${share + 1} of ${SHARES} passed, ${((performance.now() - start) / 1000).toFixed(0)} s after the start`)
    return report
  }
  const [report] = await Promise.all(Array.from({ length: SHARES }, (_, share) => ran(share)))
  return report
}

/** The program of apps/js as one text, for an engine that has nothing of a browser: with a share of the vectors. */
export async function alone(ground, share, options, plugins = []) {
  const { outputFiles } = await build({
    absWorkingDir: `${ground.wasm}/js`,
    entryPoints: ['program.mjs'],
    bundle: true,
    format: 'iife',
    write: false,
    logLevel: 'error',
    plugins: [only(share), ...plugins],
    ...options,
  })
  return outputFiles[0].text
}

/** As text: a compiler takes minutes for that many objects. */
function only(share) {
  const contents = async ({ path }) => {
    const { default: suites } = await import(path)
    const some = suites.map((suite) => ({ ...suite, cases: suite.cases.filter((_, at) => at % SHARES === share) }))
    // A suite that is shorter than the shares has none for the last.
    const text = JSON.stringify(some.filter(({ cases }) => cases.length > 0))
    return { contents: `export default JSON.parse(${JSON.stringify(text)})` }
  }
  return { name: 'a share of the vectors', setup: ({ onLoad }) => onLoad({ filter: /suites\.mjs$/ }, contents) }
}
