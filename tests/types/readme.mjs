// Compiles the programs of the package's README as TypeScript, each unchanged in a file.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fences } from '../../docs/test/guides.mjs'

const place = fileURLToPath(new URL('../../target/types/', import.meta.url))
rmSync(place, { recursive: true, force: true })
mkdirSync(place, { recursive: true })
const programs = fences('../bindings/sendoff-js/README.md', 'js')
for (const [index, program] of programs.entries()) writeFileSync(`${place}package-${index + 1}.ts`, program)
