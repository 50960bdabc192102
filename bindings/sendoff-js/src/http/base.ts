// The path before the operations' paths.

import { findOperation, type Operation, OPERATIONS } from '../index.js'
import { own } from '../own.js'

/** One or more segments in one spelling: letters, digits and `-._~`, without dot segments. */
const BASE = /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)*$/

/**
 * Returns a function from a target to the part of it below the base; undefined for a target elsewhere.
 *
 * @internal
 */
export function belowBase(base = ''): (target: string) => string | undefined {
  if (!BASE.test(base)) throw new TypeError(`expected a base such as \`/wallet\`, without a slash at its end, found \`${base}\``)
  return (target) => (target.startsWith(`${base}/`) ? target.slice(base.length) : undefined)
}

/** The number of segments of the longest path of an operation. */
const SEGMENTS = Math.max(...OPERATIONS.map(({ path }) => path.split('/').length - 1))

/**
 * The operation in whose path a target ends, in any spelling; undefined for any other target.
 *
 * @internal
 */
export function endOf(method: string, target: string): Operation | undefined {
  const [path = ''] = target.split('?')
  const segments = path.split('/').filter(Boolean)
  // Lenient routers ignore a segment of only a `;`. Only at the end can it be a parameter.
  const names = segments.filter((segment) => !segment.startsWith(';')).slice(-SEGMENTS)
  const end = segments.at(-1)?.startsWith(';') ? '/;' : ''
  for (const at of names.keys()) {
    const { operation } = own(findOperation(method, `/${names.slice(at).join('/')}${end}`))
    if (operation) return operation
  }
  return undefined
}
