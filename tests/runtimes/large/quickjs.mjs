import { createRequire } from 'node:module'
import { getQuickJS } from 'quickjs-emscripten'
import { alone } from './alone.mjs'

const { version } = createRequire(import.meta.url)('quickjs-emscripten/package.json')

/** It interprets, and is itself WebAssembly here: all vectors would take it minutes. */
const NTH = 20

/** QuickJS, which has no compiler, no WebAssembly and no TextEncoder. */
export function quickjs({ ground }) {
  const run = async () => {
    const engine = await getQuickJS()
    const context = engine.newContext()
    try {
      context.unwrapResult(context.evalCode(await alone(ground, NTH, { minify: true, target: 'es2020' }))).dispose()
      const said = context.getProp(context.global, 'said')
      const report = JSON.parse(context.dump(said))
      said.dispose()
      if (report.error) throw new Error(report.error)
      return report
    } finally {
      context.dispose()
    }
  }
  return [{ name: 'QuickJS, `sendoff/js`', version, runs: [run] }]
}
