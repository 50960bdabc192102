/**
 * What a promise comes to, unless it takes longer than this.
 *
 * @internal
 */
export function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`expected the store to answer within ${ms} ms, found no answer`))
    // Where the process itself was busy, the answer may be waiting: it is read before an immediate runs.
    const timer = setTimeout(() => setImmediate(late), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Node's. */
declare function setImmediate(run: () => void): unknown
