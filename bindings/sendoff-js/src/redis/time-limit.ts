/**
 * Returns the result of a promise, unless it takes longer than the rest of a time limit.
 *
 * @internal
 */
export async function within<Value>(limitMs: number, leftMs: number, promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const end = () => reject(new SilenceError(`expected the store to answer within ${limitMs} ms, found no answer`))
    // If the process itself was busy, the answer may be waiting: it is read before an immediate runs.
    timer = setTimeout(() => setImmediate(end), Math.ceil(leftMs))
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/**
 * No answer in time.
 *
 * @internal
 */
export class SilenceError extends Error {}
