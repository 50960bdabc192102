// The assertions for every runtime. This file uses nothing of Node.

/** Checks `sendoff`, and `sendoff/sign`, which has its own module, with a call of each and the cases of vectors. Returns the backend. */
export async function checked(sendoff, sign, vectors) {
  for (const [entry, { call, accepted, refused }] of [[sign, vectors.sign], [sendoff, vectors]]) {
    equal(entry[call](...accepted.args), accepted.ok)
    await entry.init()
    equal(entry[call](...accepted.args), accepted.ok)
    const error = caught(() => entry[call](...refused.args))
    if (!entry.SendoffError.is(error)) throw new Error(`expected a SendoffError, found ${error}`)
    equal(places(error.issues), places(refused.err.issues))
  }
  equal(sign.backend(), sendoff.backend())
  return sendoff.backend()
}

/** Throws unless two values are the same JSON but for the order of keys. */
export function equal(found, expected) {
  const sorted = (_, part) => (part && typeof part === 'object' && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part)
  const [one, other] = [found, expected].map((value) => JSON.stringify(value, sorted))
  if (one !== other) throw new Error(`expected ${other}, found ${one}`)
}

const places = (issues) => issues.map(({ path, code }) => `${path} ${code}`).sort()

function caught(call) {
  try {
    call()
  } catch (error) {
    return error
  }
}
