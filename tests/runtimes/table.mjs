// The rows as Markdown tables: in the README, and with times.

const HEAD = '| where | version | backend | answers | assertions |\n|---|---|---|---|---|'
const TIMES = '| where | version | backend | first call, ms | one of many, ms |\n|---|---|---|---|---|'

const line = ({ name, version, backend, answers, passed }) => `| ${name} | ${version} | ${backend} | ${answers} | ${passed} |`

/** The README with these rows in it. */
export const written = (readme, rows) => between('runtimes', readme, [HEAD, ...rows.map(line)])

/** A page with the times of these rows. */
export function timesWritten(page, rows) {
  const shown = (milliseconds) => (milliseconds >= 100 ? milliseconds.toFixed(0) : Number(milliseconds.toPrecision(2)))
  const timed = rows.filter(({ times }) => times)
  // The first of the versions is timed.
  const lines = timed.map(({ name, version, backend, times }) => `| ${name} | ${version.split(',')[0]} | ${backend} | ${shown(times.first)} | ${shown(times.again)} |`)
  return between('times', page, [TIMES, ...lines])
}

/** A text with these lines between its two marks. */
function between(name, text, lines) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`expected ${begin} and ${end}, found none`)
  return `${text.slice(0, before)}${begin}\n${lines.join('\n')}\n${text.slice(after)}`
}

/** The rows that the README does not have. Versions are not compared, because they differ between machines. */
export function missing(readme, rows) {
  const kept = (cells) => cells.filter((_, index) => index !== 1).join('|')
  const cells = (line) => line.split('|').slice(1, -1).map((cell) => cell.trim())
  const known = new Set(readme.split('\n').map((line) => kept(cells(line))))
  return rows.filter((row) => !known.has(kept(cells(line(row)))))
}
