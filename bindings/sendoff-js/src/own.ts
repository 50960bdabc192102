// Reads properties of objects without those that somebody put on the prototype of all objects.

/** An object's own fields, for options and for answers with optional fields. */
export function own<Fields extends object>(fields: Fields): Fields {
  return { __proto__: null, ...fields } as Fields
}

/** A property of an object or of its class, for objects of a host. */
export function member<Value extends object, Key extends keyof Value>(value: Value, key: Key): Value[Key] | undefined {
  let owner: object | null = value
  while (owner && !Object.hasOwn(owner, key)) owner = Object.getPrototypeOf(owner)
  const isOfAll = owner !== value && owner && !Object.getPrototypeOf(owner)
  return owner && !isOfAll ? value[key] : undefined
}

/** `true` for an object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
