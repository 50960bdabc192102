// The printed form of an answer, as in `crates/sendoff-cli/src/show.rs`.

const [RED, GREEN, DIM] = [31, 32, 2]

/** Returns the output, and `true` if the input has no problems. */
export function show(command, { json, isAnswer }, asJson, inColour) {
  const value = JSON.parse(json)
  const isOk = isAnswer && value?.ok !== false
  if (asJson) return [`${json}\n`, isOk]
  const paint = (code, text) => (inColour && text ? `\u001b[${code}m${text}\u001b[0m` : text)
  const lines = []
  if (!isOk) lines.push(paint(RED, 'not ok'))
  else if (command.isJudgement) lines.push(paint(GREEN, 'ok'))
  const shows = isOk ? command.shows : [['', isAnswer ? 'findings.*' : 'issues.*']]
  const width = Math.max(0, ...shows.map(([label]) => label.length))
  for (const [label, place] of shows) {
    const margin = label ? ' '.repeat(width - label.length + 2) : ''
    for (const found of texts(value, place)) lines.push(`${paint(DIM, label)}${margin}${found}`)
  }
  return [lines.map((line) => `${line}\n`).join(''), isOk]
}

/** The texts at a path. */
function texts(value, place) {
  const [first, ...rest] = place.split('.')
  if (first === '') return text(value)
  if (first === '*' && Array.isArray(value)) return value.flatMap((item) => texts(item, rest.join('.')))
  if (first.includes(',')) {
    const fields = first.split(',').flatMap((key) => (key.startsWith('@') ? time(value[key.slice(1)]) : text(value[key])))
    return [fields.join('  ')]
  }
  return value?.[first] === undefined ? [] : texts(value[first], rest.join('.'))
}

/** A value as text: for a problem its path and its message; nothing for null. */
function text(value) {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [String(value)]
  return [[value.path, value.message].filter(Boolean).join(': ')]
}

function time(value) {
  return typeof value === 'number' ? [new Date(value).toISOString()] : []
}
