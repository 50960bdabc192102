// In place of src/sandbox/node.ts in a page, which has no server.

export function respond(): never {
  throw new Error('a page has no server')
}

export function checkWorld(): void {}
