// The time of the first call and of those that follow, in any runtime. This file imports nothing, and uses nothing of Node.

const clock = () => (typeof performance === 'object' ? performance.now() : Date.now())

/** Milliseconds of the first `signable` of an entry, and of one of many. Nothing where clocks stand still while a program runs. */
export function timed({ signable }, args) {
  const began = clock()
  signable(...args)
  const first = clock() - began
  const many = () => {
    const start = clock()
    let calls = 0
    do signable(...args)
    while (++calls < 500 && clock() - start < 200)
    return (clock() - start) / calls
  }
  // An engine compiles what is called often.
  const again = Math.min(many(), many(), many())
  return again > 0 ? { first, again } : undefined
}
