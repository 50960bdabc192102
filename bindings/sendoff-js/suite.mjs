// Runs suites of vectors with the package. This file uses nothing of Node, because the page of tests/browser runs it too.

const SHOWN = 10
const CHARS = 300

/** Runs the cases of a suite, and returns the number that passed and a sentence for each failure. */
export function run(sendoff, { suite, cases }) {
  if (!(cases?.length > 0)) return { suite, passed: 0, failures: ['expected cases, found none'] }
  const failures = []
  for (const vector of cases) {
    const failure = judge(sendoff, vector)
    if (failure) failures.push(`${vector.name}: ${failure}`)
  }
  return { suite, passed: cases.length - failures.length, failures }
}

/** Prints the results of the runs and their sum, and returns `true` if all passed. */
export function report(tallies) {
  let [passed, failed] = [0, 0]
  for (const tally of tallies) {
    const { suite, failures } = tally
    const [good, bad] = [tally.passed, failures.length].map((count) => String(count).padStart(5))
    console.log(`  ${suite.padEnd(18)} ${good} passed ${bad} failed`)
    for (const failure of failures.slice(0, SHOWN)) console.log(`    ${failure}`)
    if (failures.length > SHOWN) console.log(`    and ${failures.length - SHOWN} more`)
    passed += tally.passed
    failed += failures.length
  }
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed === 0
}

/** The reason why a case fails; `undefined` if it passes. */
function judge(sendoff, vector) {
  const expected = expectation(vector)
  let found
  try {
    found = { answer: call(sendoff, vector) }
  } catch (error) {
    if (!sendoff.SendoffError.is(error)) return String(error)
    found = { issues: error.issues }
  }
  if (expected.met(found)) return saysMore(found, vector)
  return `expected ${excerpt(expected.text)}, found ${excerpt(text(found))}`
}

function call(sendoff, { call, args }) {
  if (typeof sendoff[call] !== 'function') throw new Error(`expected a function of the package, found \`${call}\``)
  return sendoff[call](...args)
}

/** The expectation of a case, which is one of five fields. */
function expectation({ call, ok, err, accept, finds, permits }) {
  const answered = (text, holds) => ({ text, met: ({ answer, issues }) => !issues && holds(answer) })
  const failed = (text, holds) => ({ text, met: ({ issues }) => issues?.length > 0 && holds(issues) })
  if (ok !== undefined) return answered(text({ answer: ok }), (answer) => equal(judged(call, answer, ok), ok))
  if (finds) return answered(`a finding of \`${finds}\``, (answer) => rules(answer).includes(finds))
  if (permits) return answered(`a permission without \`${permits}\``, (answer) => isPermission(answer, permits))
  if (accept) return answered('an answer', () => true)
  if (err?.issues) return failed(text(err), (issues) => equal(places(issues), places(err.issues)))
  if (err) return failed('issues', () => true)
  return { text: 'one of `ok`, `err`, `accept`, `finds` and `permits` in the case', met: () => false }
}

/** The reason why an answer lacks what the case expects in addition: a finding's field and path, warnings, texts in messages. */
function saysMore({ answer, issues }, { finds, field, path, warns, says = [] }) {
  if (field && !answer.findings.some((finding) => finding.field === field)) return `expected a finding of the field ${field}`
  if (finds && path !== undefined && !answer.findings.some((finding) => finding.rule === finds && finding.path === path)) {
    return `expected a finding of \`${finds}\` at \`${path}\`, found ${excerpt(text({ answer }))}`
  }
  if (warns && !equal(places(answer.warnings), places(warns))) {
    return `expected the warnings ${places(warns).join(', ')}, found ${places(answer.warnings).join(', ')}`
  }
  const messages = (issues ?? answer.findings ?? answer.warnings ?? []).map(({ message }) => message).join('\n')
  const unsaid = says.find((text) => !messages.includes(text))
  return unsaid && `expected a message with \`${unsaid}\`, found ${excerpt(messages)}`
}

/** The part of an answer that a vector covers. */
function judged(call, answer, expected) {
  if (call === 'verifyEstimate') return { ok: answer.ok, rules: rules(answer) }
  // The answers of these two may have more fields than the case names.
  if (!['readText', 'signable'].includes(call)) return answer
  return Object.fromEntries(Object.entries(answer).filter(([key]) => Object.hasOwn(expected, key)))
}

/** Whether the answer of `permits` has issues of code `rule` at exactly these paths; without paths it is `{ok: true}`. */
const isPermission = ({ ok, issues = [] }, paths) =>
  ok === (paths.length === 0) && equal(places(issues), places(paths.map((path) => ({ path, code: 'rule' }))))

const rules = ({ findings }) => distinct(findings.map(({ rule }) => rule))

const places = (issues) => distinct(issues.map(({ path, code }) => `${code} at \`${path}\``))

const distinct = (texts) => [...new Set(texts)].sort()

/** Returns `true` if two JSON values are equal: key order has no meaning, numbers are doubles, strings are exact. */
function equal(a, b) {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
}

const text = ({ answer, issues }) => (issues ? places(issues).join(', ') : JSON.stringify(answer))

const excerpt = (text) => (text.length > CHARS ? `${text.slice(0, CHARS)}…` : text)
