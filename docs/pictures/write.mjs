// node pictures/write.mjs: writes the pictures of the guides, from the core's answers and from measurements. They are committed, so
// that the guides can be read in the repository. docs/test/pictures.test.mjs checks that they are current.

import { writeFileSync } from 'node:fs'
import { binds } from './binds.mjs'
import { day } from './day.mjs'
import { life } from './life.mjs'
import { bench, size } from './plots.mjs'

/** Each picture's maker, by the name of its file. */
export const PICTURES = { life, binds, day, size, bench }

if (process.argv[1] === import.meta.filename)
  for (const [name, draw] of Object.entries(PICTURES)) writeFileSync(new URL(`${name}.svg`, import.meta.url), draw())
