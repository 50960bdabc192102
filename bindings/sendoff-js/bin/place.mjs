// Where a problem is: the file that a person gave, and the path in it; `crates/sendoff-cli/src/place.rs` is the same in Rust.

/** The argument and the path in it, by the path of an issue of the function. */
export function place(given, path) {
  for (const [argument, value] of given) {
    const { at } = argument
    if (at && (path === at || path.startsWith(`${at}.`))) return [label(argument, value), path.slice(at.length + 1)].filter(Boolean)
  }
  return [owner(given, path), path].filter(Boolean)
}

/** The argument at whose root a path is. An empty path can be of each of them. */
function owner(given, path) {
  const roots = given.filter(([{ at }]) => !at)
  const [key] = path.split(/[.[]/)
  const has = ({ keys }) => keys.includes(key)
  const isFound = roots.some(([argument]) => has(argument))
  const owners = roots.filter(([argument]) => !path || has(argument) || (!isFound && argument.keys.length === 0))
  return owners.map(([argument, value]) => label(argument, value)).join(' or ')
}

/** A document is called by its file. */
function label({ name, kind }, value) {
  return kind === 'document' || kind === 'entryPoint' ? `${name.replace('--', '').toLowerCase()} ${value}` : name
}
