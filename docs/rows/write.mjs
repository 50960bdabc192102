// node write.mjs: runs the rows and puts the tables into `moving.md`.

import { writeFileSync } from 'node:fs'
import { read } from './table.mjs'

const { page, expected } = read()
writeFileSync(page, expected)
