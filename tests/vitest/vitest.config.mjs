// npm installs the package as a link. Vitest transforms the files of one and runs them itself, and leaves installed packages to Node.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { fences } from '../../docs/test/guides.mjs'

/** The first program of docs/testing.md until its report, as a module of this folder. */
const [program] = fences('testing.md', 'ts')[0].split('\nconst others')
const id = fileURLToPath(new URL('program.ts', import.meta.url))
const ofTheGuide = {
  name: 'guide',
  resolveId: (name) => (name === './program.ts' ? id : undefined),
  load: (name) => (name === id ? `${program}\nexport { report }` : undefined),
}

const project = (name, server) => ({ plugins: [ofTheGuide], test: { name, server, include: ['*.test.mjs'], testTimeout: 60_000 } })

export default defineConfig({
  test: { projects: [project('linked', {}), project('installed', { deps: { external: [/sendoff-js/] } })] },
})
