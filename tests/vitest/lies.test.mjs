// The client of docs/testing.md against all lies, in Vitest.

import { expect, test } from 'vitest'

test('a client with the loop swallows no lie', async () => {
  const { report } = await import('./program.ts')
  expect(report.swallowed).toEqual([])
  expect(report.results.length).toBeGreaterThan(100)
})
