// What two writers do to one store at once, in Node and in a page.

import { send, take } from '../submissions.mjs'

const hash = (number) => `0x${number.toString(16).padStart(64, '0')}`
const job = (number) => `${number.toString(16).padStart(8, '0')}-0000-4000-0000-000000000000`

/** Adds one to a stored number, `times` times. Returns how often another writer was faster. */
export async function count(store, intent, times) {
  let lost = 0
  for (let done = 0; done < times; ) {
    const before = await store.get(intent)
    if (await store.swap(intent, before, String(Number(before ?? 0) + 1))) done++
    else lost++
  }
  return lost
}

/** Each writer starts a job of its own for each intent. Returns the intents in which this one was first. */
export async function start(store, writer, intents) {
  const won = []
  for (let intent = 0; intent < intents; intent++) {
    const jobId = job(2 * intent + writer)
    const taken = await take(store, `intent ${intent}`, jobId, { type: 'sent', jobId, hash: hash(1), validUntil: 1_000 })
    if (taken) won.push(intent)
  }
  return won
}

/** The way of one intent: refused, replaced, over, and then another job. Returns the verdicts, and what was posted. */
export async function retry(store, intent) {
  const posted = []
  const post = (name, reply) => async () => {
    posted.push(name)
    return reply ?? Promise.reject(new Error('the connection broke'))
  }
  const refusal = { status: 'error', error: { code: 400, message: 'gas' } }
  const success = { status: 'success', data: {} }
  const operation = (jobId, number, type) => ({ type, jobId, hash: hash(number), validUntil: 1_000 })

  const verdicts = []
  const note = (result) => verdicts.push(result?.verdict ?? null)
  note(await send(store, intent, operation(job(1), 1), post('first', refusal)))
  // Another job is not sent.
  note(await send(store, intent, operation(job(2), 2), post('too early', success)))
  note(await send(store, intent, operation(job(1), 3, 'replaced'), post('replacement', null)))
  note(await take(store, intent, job(1), { type: 'nonce', used: false, now: 1_001 }))
  note(await send(store, intent, operation(job(2), 2), post('another job', success)))
  // A late answer about the first job changes nothing.
  note(await take(store, intent, job(1), { type: 'nonce', used: false, now: 2_000 }))
  note(await send(store, intent, operation(job(2), 2), post('accepted already', success)))
  return { verdicts, posted }
}

export const EXPECTED = {
  verdicts: ['mayBeSent', null, 'mayHaveHappened', 'newJob', 'mustNotBeSent', null, null],
  posted: ['first', 'replacement', 'another job'],
}
