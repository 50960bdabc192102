// The client of docs/testing.md against all lies, in Vitest.

import { againstLies } from 'sendoff/testing'
import { expect, test } from 'vitest'

test('a client with the loop swallows no lie', async () => {
  const { report } = await import('./program.ts')
  expect(report.swallowed).toEqual([])
  expect(report.results.length).toBeGreaterThan(100)
})

test('a client that says what is not so is refused', async () => {
  const boasts = againstLies(async ({ url, fetch }) => (await fetch(`${url}/api/oc/v1/estimate`, { method: 'POST' }).catch(() => {}), 'succeeded'))
  await expect(boasts).rejects.toThrow('the client says `succeeded`, and nothing was moved')
})
