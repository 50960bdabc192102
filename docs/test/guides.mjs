// The guides, and what stands in their fences.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The guides, by their path in the folder of the documentation. What is generated is not among them. */
export const guides = ['', 'start/']
  .flatMap((folder) => readdirSync(root + folder).map((name) => folder + name))
  .filter((path) => path.endsWith('.md') && path !== 'reference.md')
  .sort()

/** The contents of a guide's fences, by language and in order. */
export function fences(guide) {
  const text = readFileSync(root + guide, 'utf8')
  return Array.from(text.matchAll(/^```(\w+)[^\n]*\n([^]*?)^```$/gm), ([, language, content]) => ({ language, content }))
}
