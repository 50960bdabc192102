import { run } from '../run.mjs'

// Without an import, because Vite leaves Node's modules out of pages, also for jsdom.
const { writeFileSync } = process.getBuiltinModule('node:fs')

test('the package', async () => writeFileSync('backend.txt', await run()))
