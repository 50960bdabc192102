import { build } from 'esbuild'

/**
 * The program of apps/js as one text, for an engine that has nothing of a browser: with every vector, or with every nth for one that
 * would take minutes.
 */
export async function alone(ground, nth, options, plugins = []) {
  const passed = nth === 1 ? 'every vector' : `every ${nth}th vector`
  const { outputFiles } = await build({
    absWorkingDir: `${ground.wasm}/js`,
    entryPoints: ['program.mjs'],
    bundle: true,
    format: 'iife',
    write: false,
    logLevel: 'error',
    define: { PASSED: JSON.stringify(passed) },
    plugins: [only(nth), ...plugins],
    ...options,
  })
  return outputFiles[0].text
}

/** As text: a compiler takes minutes for that many objects. */
function only(nth) {
  const contents = async ({ path }) => {
    const { default: suites } = await import(path)
    const some = suites.map((suite) => ({ ...suite, cases: suite.cases.filter((_, at) => at % nth === 0) }))
    return { contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(some))})` }
  }
  return { name: 'only some vectors', setup: ({ onLoad }) => onLoad({ filter: /suites\.mjs$/ }, contents) }
}
