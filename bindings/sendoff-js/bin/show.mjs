// What is printed of an answer; `crates/sendoff-cli/src/show.rs` is the same in Rust.

const [RED, GREEN, DIM] = [31, 32, 2]

/** What is printed, and whether the input is right. */
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

/** The texts at a place. */
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

/** A value as text. A problem is its place and its message; null is nothing. */
function text(value) {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [String(value)]
  return [[value.path, value.message].filter(Boolean).join(': ')]
}

function time(value) {
  return typeof value === 'number' ? [new Date(value).toISOString()] : []
}
