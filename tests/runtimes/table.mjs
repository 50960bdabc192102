// The rows as a Markdown table, and in the README.

const [BEGIN, END] = ['<!-- runtimes -->', '<!-- /runtimes -->']
const HEAD = '| where | version | backend | answers | assertions |\n|---|---|---|---|---|'

const line = ({ name, version, backend, answers, passed, absent }) =>
  `| ${name} | ${version} | ${absent ? `not run: ${absent} | |` : `${backend} | ${answers} | ${passed}`} |`

/** The README with these rows in it. */
export function written(readme, rows) {
  const [before, after] = [readme.indexOf(BEGIN), readme.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`expected ${BEGIN} and ${END} in the README`)
  return `${readme.slice(0, before)}${BEGIN}\n${HEAD}\n${rows.map(line).join('\n')}\n${readme.slice(after)}`
}

/** The rows that the README does not have. Versions are not compared, because they differ between machines. */
export function missing(readme, rows) {
  const kept = (cells) => cells.filter((_, index) => index !== 1).join('|')
  const cells = (line) => line.split('|').slice(1, -1).map((cell) => cell.trim())
  const known = new Set(readme.split('\n').map((line) => kept(cells(line))))
  return rows.filter((row) => !known.has(kept(cells(line(row)))))
}
