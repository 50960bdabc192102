// A clock that a test moves, instead of waiting for a second to pass.

/** Returns a function that moves the clock of this process, `performance.now()`, by milliseconds. The end of the test sets it back. */
export function skipping(t) {
  const now = performance.now.bind(performance)
  let ahead = 0
  t.mock.method(performance, 'now', () => now() + ahead)
  return (ms) => void (ahead += ms)
}
