/**
 * Freezes a value of the core deeply, so that what was verified is what is shown, signed and sent.
 *
 * @internal
 */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  // A call for each text would take as long as the rest.
  for (const part of Object.values(value)) if (typeof part === 'object') frozen(part)
  return Object.freeze(value)
}
