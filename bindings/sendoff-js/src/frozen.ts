/**
 * Freezes a value of the core deeply, so that what was verified is what is shown, signed and sent.
 *
 * @internal
 */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}
