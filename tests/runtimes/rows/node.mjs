import { program } from '../program.mjs'

/** Node, in every installed version. */
export function node({ ground, nodes }) {
  const row = (name, cwd, files, options) => {
    const runs = nodes.flatMap((node) => files.map((file) => () => program(node.file, [file], { cwd, ...options })))
    return { name, version: nodes.map(({ version }) => version).join(', '), runs }
  }
  const both = ['module.mjs', 'commonjs.cjs']
  return [
    row('Node, ESM and CommonJS', `${ground.wasm}/node`, both),
    row('Node, ESM and CommonJS, addon installed', `${ground.native}/node`, both),
    row('Node, addon installed, `SENDOFF_BACKEND=wasm`', `${ground.native}/node`, both, { env: { SENDOFF_BACKEND: 'wasm' } }),
    // Every vector takes a while without WebAssembly.
    row('Node, `sendoff/js`, every vector', `${ground.wasm}/js`, ['vectors.mjs'], { timeout: 600_000 }),
  ]
}
