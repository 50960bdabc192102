/**
 * Returns the result of a promise, unless it takes longer than the rest of a time limit.
 *
 * @internal
 */
export function within<Value>(limitMs: number, leftMs: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new SilenceError(`expected the store to answer within ${limitMs} ms, found no answer`))
    // If the process itself was busy, the answer may be waiting: it is read before an immediate runs.
    const timer = setTimeout(() => setImmediate(late), Math.ceil(leftMs))
    const settled = <Result>(settle: (result: Result) => void) => (result: Result) => {
      clearTimeout(timer)
      settle(result)
    }
    promise.then(settled(resolve), settled(reject))
  })
}

/**
 * No answer in time.
 *
 * @internal
 */
export class SilenceError extends Error {}

/** Node's function. */
declare function setImmediate(run: () => void): unknown
