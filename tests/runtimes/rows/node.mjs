import { program } from '../program.mjs'

/** Node, in every installed version. */
export function node({ ground, nodes }) {
  const row = (name, folder, files, env) => {
    const options = { cwd: `${folder}/node`, env }
    const runs = nodes.flatMap((node) => files.map((file) => () => program(node.file, [file], options)))
    return { name, version: nodes.map(({ version }) => version).join(', '), runs }
  }
  const both = ['module.mjs', 'commonjs.cjs']
  return [
    row('Node, ESM and CommonJS', ground.wasm, both),
    row('Node, ESM and CommonJS, addon installed', ground.native, both),
    row('Node, worker threads', ground.wasm, ['threads.mjs']),
    row('Node, worker threads, addon installed', ground.native, ['threads.mjs']),
    row('Node, `sendoff/url`', ground.wasm, ['url.mjs']),
    row('Node, `sendoff/url`, addon installed', ground.native, ['url.mjs']),
    row('Node, addon installed, `SENDOFF_BACKEND=wasm`', ground.native, both, { SENDOFF_BACKEND: 'wasm' }),
  ]
}
