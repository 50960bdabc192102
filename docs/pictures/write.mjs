// node pictures/write.mjs: the pictures of the guides, made of what the core answers and of what was measured. They are
// committed, so that the guides can be read where they are; docs/test/pictures.test.mjs keeps them fresh.

import { writeFileSync } from 'node:fs'
import { binds } from './binds.mjs'
import { day } from './day.mjs'
import { callerGrowth, documentGrowth } from './growth.mjs'
import { life } from './life.mjs'
import { bench, size } from './plots.mjs'

/** Each picture's maker, by the name of its file. */
export const PICTURES = { life, binds, day, size, bench, documents: documentGrowth, callers: callerGrowth }

if (process.argv[1] === import.meta.filename)
  for (const [name, draw] of Object.entries(PICTURES)) writeFileSync(new URL(`${name}.svg`, import.meta.url), draw())
