import { document as textOf, text } from './argument.js'
import { ask } from './backend.js'
import type { DocumentKind } from './types.js'

/**
 * Reads one document by itself, a value or its JSON text, and answers nothing: an empty object. A request is held to
 * every rule that needs no facts.
 *
 * @throws {@link SendoffError} with every problem of the document, under `document.`.
 *
 * @example
 * ```ts
 * checkDocument('Policy', readFileSync('policy.json', 'utf8'))
 * ```
 */
export function checkDocument(kind: DocumentKind, document: unknown): Record<string, never> {
  return ask('checkDocument', text(kind), textOf(document, 'document'))
}
