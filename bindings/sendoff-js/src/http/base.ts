// The path before the operations' paths.

import { findOperation, type Operation, OPERATIONS } from '../index.js'
import { own } from '../own.js'

/** One or more segments in one spelling: letters, digits and `-._~`, without dot segments. */
const BASE = /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)*$/

/** @internal */
export const isBase = (value: unknown): boolean => typeof value === 'string' && BASE.test(value)

/**
 * Returns a function from a target to the part of it below the base; undefined for a target elsewhere.
 *
 * @internal
 */
export const belowBase = (base = '') => (target: string): string | undefined => (target.startsWith(`${base}/`) ? target.slice(base.length) : undefined)

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
