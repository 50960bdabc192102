// npm installs the package as a link. Vitest transforms the files of one and runs them itself, and leaves installed packages to Node.

import { defineConfig } from 'vitest/config'

const project = (name, server) => ({ test: { name, server, include: ['*.test.mjs'], testTimeout: 60_000 } })

export default defineConfig({
  test: { projects: [project('linked', {}), project('installed', { deps: { external: [/sendoff-js/] } })] },
})
