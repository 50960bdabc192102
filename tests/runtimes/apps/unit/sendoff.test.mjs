import * as sendoff from 'sendoff'
import * as sign from 'sendoff/sign'
import { both } from '../assertions.mjs'
import vectors from '../vectors.mjs'

// Without an import, because Vite leaves Node's modules out of pages, also for jsdom.
const { writeFileSync } = process.getBuiltinModule('node:fs')

test('the package', async () => {
  writeFileSync('report.json', JSON.stringify(await both(sendoff, sign, vectors)))
})
