// Compiles the programs of the READMEs as TypeScript, each unchanged in a file.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fences } from '../../docs/test/guides.mjs'

const place = fileURLToPath(new URL('../../target/types/', import.meta.url))
rmSync(place, { recursive: true, force: true })
mkdirSync(place, { recursive: true })
for (const [name, readme] of Object.entries({ project: '../README.md', package: '../bindings/sendoff-js/README.md' })) {
  for (const [index, program] of fences(readme, 'js').entries()) writeFileSync(`${place}${name}-${index + 1}.ts`, program)
}
