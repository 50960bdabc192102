// What two writers do to one store at once, in Node and in a page.

/** Adds one to each intent's number, `times` times. Returns how often another writer was faster. */
export async function count(store, intents, times) {
  let lost = 0
  for (const intent of intents) {
    const { get, swap } = store(intent)
    for (let done = 0; done < times; ) {
      const before = await get()
      // No other writer stores the same text.
      const after = `${Number.parseInt(before ?? '0') + 1} ${Math.random()}`
      if (await swap(before, after)) done++
      else if ((await get()) === after) throw new Error('the store refused a text, and stored it')
      else lost++
    }
  }
  return lost
}
