import { text as plain } from './argument.js'
import { ask } from './backend.js'
import type { TextMeanings } from './types.js'

/**
 * What a text means, as the documents read it.
 *
 * @throws {@link SendoffError} `format` where it is not of its kind, `range` where it is and out of bounds.
 *
 * @example
 * ```ts
 * readText('quantity', '0x2255100').decimal // '36000000'
 * ```
 */
export function readText<Kind extends keyof TextMeanings>(kind: Kind, text: string): TextMeanings[Kind] {
  return ask('readText', plain(kind), plain(text, 'text'))
}
