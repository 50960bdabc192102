// The requested value and the value found, side by side.

import type { Issue } from 'sendoff'
import { code, coded, short } from './hex.js'
import { place } from './labels.js'
import { make } from './page.js'
import { gwei } from './units.js'

/** A finding of `verifyEstimate`, or an issue of `signable`. */
export type Difference = Pick<Issue, 'path' | 'message' | 'expected' | 'found' | 'field'>

const HEADS = { asked: 'You asked for', found: 'The reply says' }

/** A value of the request or the reply. */
export function agreement(path: string, value: string): HTMLElement {
  return make('ul', 'differences', item(path, pair(value, value, 'same')))
}

/** Shows every difference, as two values or in a sentence. */
export function disagreement(differences: readonly Difference[]): HTMLElement {
  const items = differences.map(({ path, field, expected, found, message }) => {
    if (expected === undefined || found === undefined) return item(field ?? path, make('p', '', ...coded(message)))
    return item(field ?? path, pair(inWords(path, expected), inWords(path, found), 'differs'))
  })
  return make('ul', 'differences', ...items)
}

function item(path: string, content: HTMLElement) {
  const title = make('p', 'label', place(path))
  // The name of the field in call data, or else the path in the documents.
  if (path) title.title = path
  return make('li', '', title, content)
}

function pair(asked: string, found: string, className: string) {
  const list = make('dl', `pair ${className}`)
  list.append(
    make('div', 'asked', make('dt', '', HEADS.asked), make('dd', '', code(asked))),
    make('div', 'found', make('dt', '', HEADS.found), make('dd', '', code(found, asked))),
  )
  return list
}

/** A difference in one line. */
export function inBrief({ path, field, expected, found, message }: Difference): string {
  if (expected === undefined || found === undefined) return `${message}.`
  const [asked, said] = [expected, found].map((value) => short(inWords(path, value))) as [string, string]
  return `${place(field ?? path)}: \`${said}\` instead of \`${asked}\`.`
}

function inWords(path: string, value: string): string {
  const isFee = /\.max(Priority)?FeePerGas$/.test(path) && /^0x[\da-f]{1,32}$/i.test(value)
  return isFee ? gwei(BigInt(value)) : value
}
