// The assertions for every runtime. This file uses nothing of Node.

import { timed } from './times.mjs'

/**
 * Runs all assertions with `sendoff`, and with `sendoff/sign`, which has its own module. Returns the result of the first, and times if
 * the vectors have the arguments of a call for them.
 */
export async function both(sendoff, sign, vectors, copy) {
  watched()
  const times = vectors.timed && timed(sign, vectors.timed)
  // Its module first: the assertions damage every instance that there is.
  const { backend } = await assertions(sign, vectors.sign)
  const report = await assertions(sendoff, vectors, copy)
  if (backend !== report.backend) throw new Error(`expected ${report.backend} behind \`sendoff/sign\`, found ${backend}`)
  return { ...report, times }
}

/**
 * Runs all assertions, and returns the backend and the number of assertions.
 *
 * @param sendoff the package
 * @param vectors a call, and one case of each kind: `accepted` with its answer, `refused` with its issues
 * @param copy another copy of the package, where the application has one: by CommonJS, or by another entry
 */
export async function assertions(sendoff, { call, accepted, refused }, copy) {
  let passed = 0
  const assert = (holds, what) => {
    if (!holds) throw new Error(`expected ${what}`)
    passed++
  }
  const memories = watched()
  const answer = () => text(sendoff[call](...accepted.args))
  const wanted = text(accepted.ok)

  assert(answer() === wanted, 'the answer of the vector, byte for byte')
  await sendoff.init()

  const { SendoffError } = sendoff
  const error = caught(() => sendoff[call](...refused.args))
  assert(SendoffError.is(error) && error instanceof SendoffError && error instanceof Error, 'a SendoffError')
  assert(places(error.issues) === places(refused.err.issues), 'the issues of the vector')
  assert(!SendoffError.is(new Error('another')), 'another error not to be one')
  if (copy) {
    assert(copy.SendoffError !== SendoffError, 'two copies')
    assert(copy.SendoffError.is(error), 'a SendoffError to be known to the other copy')
  }

  const backend = sendoff.backend()
  assert(['wasm', 'native', 'js'].includes(backend), 'a backend')
  if (backend === 'wasm') {
    const before = memories.length
    for (const { buffer } of memories) new Uint8Array(buffer).fill(0xff)
    const trap = caught(answer)
    assert(trap?.name === 'RuntimeError', `a trap in an instance that is spoilt, found ${trap}`)
    assert(answer() === wanted && memories.length === before + 1, 'a right answer of a new instance')
  }
  return { backend, passed }
}

/** The memory of every instance of every copy, to damage it. The package does not expose it. */
function watched() {
  const { Instance, memories = [] } = WebAssembly
  if (WebAssembly.memories) return memories
  WebAssembly.memories = memories
  WebAssembly.Instance = class extends Instance {
    constructor(...args) {
      super(...args)
      memories.push(this.exports.memory)
    }
  }
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const instantiate = WebAssembly[name]
    WebAssembly[name] = async (...args) => {
      const made = await instantiate(...args)
      memories.push((made.instance ?? made).exports.memory)
      return made
    }
  }
  return memories
}

/** A value as JSON with sorted keys. */
function text(value) {
  const sorted = (_, part) =>
    part && typeof part === 'object' && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part
  return JSON.stringify(value, sorted)
}

const places = (issues) => text(issues.map(({ path, code }) => `${path} ${code}`).sort())

function caught(call) {
  try {
    call()
  } catch (error) {
    return error
  }
}
