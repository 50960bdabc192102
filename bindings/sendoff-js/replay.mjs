// node replay.mjs FILE: the module of `sendoff/sandbox` gives the replies that the core gave to random days
// (crates/sendoff-sandbox/examples/replay.rs), to the byte, and how fast.

import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Sandbox } from 'sendoff/sandbox'

/** Requests in a second of a processor, at least. */
const LEAST = 2_000

const [file] = process.argv.slice(2)
let [sandbox, requests, spent] = [undefined, 0, 0]
for await (const line of createInterface({ input: createReadStream(file) })) {
  const { start, save, now, request, reply } = JSON.parse(line)
  if (start) sandbox = new Sandbox(start)
  else if (save) assert.equal(sandbox.save(), save)
  else {
    const began = process.cpuUsage()
    const answer = sandbox.answer(request, now)
    const { user, system } = process.cpuUsage(began)
    spent += user + system
    requests += 1
    assert.equal(JSON.stringify(answer), JSON.stringify(reply))
  }
}
const rate = requests / (spent / 1e6)
console.log(`${requests} requests replayed to the byte, ${rate.toFixed(0)} in a second of a processor`)
assert(rate >= LEAST, `expected ${LEAST} requests in a second, found ${rate.toFixed(0)}`)
