// The guides, the code in their fences, and the lines that their programs should print.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

/** The guides, by their path in the folder of the documentation, without generated pages. */
export const guides = ['', 'start/']
  .flatMap((folder) => readdirSync(at(`../${folder}`)).map((name) => folder + name))
  .filter((path) => path.endsWith('.md') && path !== 'reference.md')
  .sort()

/** The contents of a page's fences in this language, in order; the page by its path in the folder of the documentation. */
export function fences(page, language) {
  const text = readFileSync(at(`../${page}`), 'utf8')
  return Array.from(text.matchAll(/^```(\w+)[^\n]*\n([^]*?)^```$/gm)).filter(([, own]) => own === language).map(([, , content]) => content)
}

/** The files that a page shows in fences, each after a line such as `Put this into \`facts.json\``, by their names. */
export function files(page) {
  const text = readFileSync(at(`../${page}`), 'utf8')
  const shown = text.matchAll(/^Put this into `(?!target\/)([\w.]+)`[^\n]*\n\n```\w+\n([^]*?)^```$/gm)
  return Object.fromEntries(Array.from(shown, ([, name, content]) => [name, content]))
}

/** The lines that a program prints, by the comments after its `console.log(…)`, or in the line below. */
export function printed(program) {
  const said = Array.from(program.matchAll(/console\.log\(.*\)(?: |\n *)\/\/ (.*)$/gm), ([, text]) => text)
  if (program.split('console.log(').length !== said.length + 1) throw new Error('expected a comment for every line that is printed')
  return said
}
