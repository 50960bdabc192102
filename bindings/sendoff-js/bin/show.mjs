// The printed form of an answer, as in `crates/sendoff-cli/src/show.rs`.

import * as functions from '../dist/text.mjs'
import { place } from './place.mjs'

const [RED, GREEN, DIM] = [31, 32, 2]

/** Returns the output, and `true` if the input has no problems. */
export function show(command, given, { json, isAnswer }, asJson, inColour) {
  const value = JSON.parse(json)
  const isOk = isAnswer && value?.ok !== false
  if (asJson) return [`${json}\n`, isOk]
  const paint = (code, text) => (inColour && text ? `\u001b[${code}m${text}\u001b[0m` : text)
  const lines = []
  if (!isOk) lines.push(paint(RED, 'not ok'))
  else if (command.isJudgement) lines.push(paint(GREEN, 'ok'))
  const shows = isOk ? command.shows : [['', isAnswer ? 'findings.*' : 'issues.*']]
  const width = Math.max(0, ...shows.map(([label]) => label.length))
  for (const [label, path] of shows) {
    const margin = label ? ' '.repeat(width - label.length + 2) : ''
    for (const found of printed(value, path, given)) lines.push(`${paint(DIM, label)}${margin}${found}`)
  }
  return [lines.map((line) => `${line}\n`).join(''), isOk]
}

/** The texts at a path, or the answers of a function for them. */
function printed(value, path, given) {
  const [, name, inner] = /^(\w+)\((.*)\)$/.exec(path) ?? []
  return name ? texts(value, inner, given).map((text) => JSON.parse(functions[name](text))) : texts(value, path, given)
}

/** The texts at a path. */
function texts(value, path, given) {
  const [first, ...rest] = path.split('.')
  if (first === '') return text(value, given)
  if (first === '*' && Array.isArray(value)) return value.flatMap((item) => texts(item, rest.join('.'), given))
  if (first.includes(',')) {
    const fields = first.split(',').flatMap((key) => (key.startsWith('@') ? time(value[key.slice(1)]) : text(value[key], given)))
    return [fields.join('  ')]
  }
  return value?.[first] === undefined ? [] : texts(value[first], rest.join('.'), given)
}

/** A value as text: for a problem its path and its message. */
function text(value, given) {
  if (value === undefined) return []
  if (value === null) return ['none']
  if (typeof value !== 'object') return [String(value)]
  return [[...place(given, value.path), value.message].join(': ')]
}

function time(value) {
  return typeof value === 'number' ? [new Date(value).toISOString()] : []
}
