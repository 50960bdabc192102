import * as sendoff from 'sendoff'
import * as sign from 'sendoff/sign'
import { both } from '../assertions.mjs'
import vectors from '../vectors.mjs'

// Not imported: for a page, and be it played, Vite leaves out what is of Node.
const { writeFileSync } = process.getBuiltinModule('node:fs')

test('the package', async () => {
  writeFileSync('report.json', JSON.stringify(await both(sendoff, sign, vectors)))
})
