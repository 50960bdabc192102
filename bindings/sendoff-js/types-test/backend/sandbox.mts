// Programs of tests that the types of `sendoff/sandbox` and `sendoff/testing` accept and refuse. This file is compiled, not run.

import { Sandbox, type SandboxOptions, type SandboxWorld } from 'sendoff/sandbox'
import { againstLies, type Harm, type LieReport } from 'sendoff/testing'

// `undefined` is allowed where a field may be absent, with `exactOptionalPropertyTypes` too.
declare const absent: undefined
const options: SandboxOptions = { seed: absent, switches: { ids: absent }, delays: { end: absent }, deployment: { baseFee: absent }, limits: absent, lies: absent, ledger: absent }
const world: SandboxWorld = { now: absent, sleep: absent, onAnswer: absent, onError: absent }
new Sandbox(options, world).answer({ method: 'GET', target: '/', headers: absent, body: absent }, absent)
const report: Promise<LieReport> = againstLies(async () => 'unknown', { of: absent, names: absent })
report.then(({ swallowed }) => swallowed.map(({ harm }): Harm => harm))
// @ts-expect-error a client of a transfer returns an outcome
againstLies(async () => 5, { of: 'token' })
againstLies(async () => 5, { of: 'lists', names: absent })
