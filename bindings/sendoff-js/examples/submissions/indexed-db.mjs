// A store in IndexedDB, shared by the tabs of an origin. A browser may delete it; `navigator.storage.persist()` asks it not to.

const STATES = 'states'

/** Resolves to the result of a request. */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** The stores of intents. */
export async function indexedDbStore(name = 'submissions') {
  const opening = indexedDB.open(name, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STATES)
  const database = await done(opening)

  return (intent) => ({
    async get() {
      return (await done(database.transaction(STATES).objectStore(STATES).get(intent))) ?? null
    },

    // A transaction that writes is alone, in all tabs, and `strict` waits for the disk.
    swap: (before, after) =>
      new Promise((resolve, reject) => {
        const transaction = database.transaction(STATES, 'readwrite', { durability: 'strict' })
        const states = transaction.objectStore(STATES)
        let swapped = false
        states.get(intent).onsuccess = ({ target }) => {
          swapped = (target.result ?? null) === before
          if (swapped) states.put(after, intent)
        }
        transaction.oncomplete = () => resolve(swapped)
        transaction.onabort = () => reject(transaction.error)
      }),
  })
}

/** Runs `work` in one tab at a time, so that two tabs do not send the same intent at once. */
export const alone = (intent, work) => navigator.locks.request(`submission ${intent}`, work)
