// Runs in the page: checks the JavaScript values of the core's types, in both directions.

import init, * as page from './glue/page.js'
import { run } from './suite.mjs'

/** The documents of a function: those of its arguments, and then its answer. */
const DOCUMENTS = {
  encodeCall: ['Call'],
  encodePaymasterData: ['PaymasterData'],
  estimate: ['EstimateRequest', 'Facts', 'EstimateReply'],
  packUserOp: ['UserOp'],
  paymasterHash: ['PaymasterGrant'],
  userOpHash: ['UserOp', 'EntryPoint'],
}

globalThis.check = async (suites) => {
  await init()
  // A document as text is not an object.
  const isTyped = ({ ok, args }) => ok && args.every((argument) => typeof argument === 'object')
  const cases = suites.flatMap((suite) => suite.cases).filter(isTyped)
  return [typed(cases), echoed(cases), strict(cases)]
}

/** The vectors of the page's functions. Answers must be plain values. */
function typed(cases) {
  const functions = {
    estimate: (request, facts) => plain(page.estimate(request, facts)),
    packUserOp: (op, options) => plain(page.packUserOp(op, options)),
    signable: (request, reply, deployment, names) => plain(page.signable(request, reply, deployment, names)),
    // The other vectors have replies that do not fit the type.
    verifyEstimate: (request, reply) => plain(page.verifyEstimate(request, reply)),
    SendoffError: { is: () => false },
  }
  const known = cases.filter(({ call, ok }) => Object.hasOwn(functions, call) && ok.ok !== false)
  return run(functions, { suite: 'typed', cases: known })
}

/** Each document is returned unchanged, with defaults for absent fields. */
function echoed(cases) {
  const given = cases.flatMap(({ name, call, args, ok }) =>
    (DOCUMENTS[call] ?? []).map((kind, at) => ({ name: `${kind} of ${name}`, kind, document: [...args, ok][at] })),
  )
  return tally('echoed', given.map(({ name, kind, document }) => [name, () => {
    const back = plain(page.echo(kind, document))
    return holds(back, document) || `expected ${JSON.stringify(document)}, found ${JSON.stringify(back)}`
  }]))
}

/** Fields that are refused, and properties that are not read. */
function strict(cases) {
  const request = cases.find(({ call }) => call === 'estimate').args[0]
  const { jobId, ...rest } = request
  const refuses = (document, place) => () => {
    try {
      page.echo('EstimateRequest', document)
    } catch (error) {
      return String(error).includes(place) || `expected an error at ${place}, found ${error}`
    }
    return 'expected an error, found none'
  }
  const polluted = (then) => () => {
    Object.prototype.jobId = jobId
    try {
      return then()
    } finally {
      delete Object.prototype.jobId
    }
  }
  const inherited = Object.assign(Object.create({ jobId }), rest)
  return tally('strict', [
    ['a field that it does not have', refuses({ ...request, note: '' }, 'note: ')],
    ['no field that it needs', refuses(rest, 'jobId: ')],
    ['an inherited field', refuses(inherited, 'jobId: ')],
    ['a field of the prototype of all objects', polluted(refuses(rest, 'jobId: '))],
    ['undefined', refuses({ ...request, feePayerAddress: undefined }, 'feePayerAddress: ')],
    ['a wrapped text', refuses({ ...request, jobId: Object(jobId) }, 'invalid type')],
    // These are read, unlike in JSON.
    ['a map', () => holds(plain(page.echo('EstimateRequest', new Map(Object.entries(request)))), request)],
    ['a getter', () => holds(plain(page.echo('EstimateRequest', { ...rest, get jobId() { return jobId } })), request)],
    ['toJSON is no part of it', refuses({ ...request, toJSON: () => request }, 'toJSON')],
  ])
}

/** The value if JSON can express all of it. */
function plain(value) {
  const at = (value, place) => {
    if (Array.isArray(value)) return value.map((item, index) => at(item, `${place}.${index}`))
    if (typeof value === 'object') {
      if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error(`expected a plain object at \`${place}\`, found a ${value.constructor.name}`)
      const fields = Object.entries(value).map(([key, field]) => [key, at(field, place ? `${place}.${key}` : key)])
      return Object.fromEntries(fields)
    }
    // Null of JSON is undefined, unless the page sets `serialize_missing_as_null`.
    if (value === undefined) return null
    if (['string', 'number', 'boolean'].includes(typeof value)) return value
    throw new Error(`expected a value of JSON at \`${place}\`, found ${typeof value}`)
  }
  return at(value, '')
}

/** Returns `true` if a value contains another. */
function holds(value, part) {
  if (typeof part !== 'object' || part === null) return value === part
  return typeof value === 'object' && value !== null && Object.keys(part).every((key) => holds(value[key], part[key]))
}

function tally(suite, checks) {
  const failures = []
  for (const [name, check] of checks) {
    let said
    try {
      said = check()
    } catch (error) {
      said = String(error)
    }
    if (said !== true) failures.push(`${name}: ${said}`)
  }
  return { suite, passed: checks.length - failures.length, failures }
}
