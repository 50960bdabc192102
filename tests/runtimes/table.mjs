// The rows as a Markdown table.

const HEAD = '| where | version | backend | assertions | first call, ms | one of many, ms |\n|---|---|---|---|---|---|'

const line = ({ name, version, backend, passed, times = {} }) =>
  `| ${name} | ${version} | ${backend} | ${passed} | ${shown(times.first)} | ${shown(times.again)} |`

const shown = (milliseconds = 0) => (milliseconds >= 100 ? milliseconds.toFixed(0) : Number(milliseconds.toPrecision(2)))

/** The page with these rows in it. */
export function written(page, rows) {
  const [begin, end] = ['<!-- runtimes -->', '<!-- /runtimes -->']
  const [before, after] = [page.indexOf(begin), page.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`expected ${begin} and ${end}, found none`)
  return `${page.slice(0, before)}${begin}\n${[HEAD, ...rows.map(line)].join('\n')}\n${page.slice(after)}`
}

/** The rows that the page does not have. Versions and times are not compared, because they differ between machines. */
export function missing(page, rows) {
  const kept = (line) => {
    const [name, , backend, passed] = line.split('|').slice(1, -1).map((cell) => cell.trim())
    return [name, backend, passed].join('|')
  }
  const known = new Set(page.split('\n').map(kept))
  return rows.filter((row) => !known.has(kept(line(row))))
}
