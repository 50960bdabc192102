import { program } from '../program.mjs'

/** Node, in every installed version. */
export function node({ ground, nodes }) {
  const row = (name, cwd, files, options) => {
    const runs = nodes.flatMap((node) => files.map((file) => () => program(node.file, [file], { cwd, ...options })))
    return { name, version: nodes.map(({ version }) => version).join(', '), runs }
  }
  const [wasm, native, js] = [`${ground.wasm}/node`, `${ground.native}/node`, `${ground.wasm}/js`]
  const both = ['module.mjs', 'commonjs.cjs']
  return [
    row('Node, ESM and CommonJS', wasm, both),
    row('Node, ESM and CommonJS, addon installed', native, both),
    row('Node, worker threads', wasm, ['threads.mjs']),
    row('Node, worker threads, addon installed', native, ['threads.mjs']),
    row('Node, addon installed, `SENDOFF_BACKEND=wasm`', native, both, { env: { SENDOFF_BACKEND: 'wasm' } }),
    // Every vector takes a while without WebAssembly.
    row('Node, `sendoff/js`', js, ['node.mjs'], { timeout: 600_000 }),
  ]
}
