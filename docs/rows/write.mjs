// node write.mjs: runs the rows and puts the tables into `reference/tables/texts.md`.

import { writeFileSync } from 'node:fs'
import { read } from './table.mjs'

const { page, expected } = read()
writeFileSync(page, expected)
