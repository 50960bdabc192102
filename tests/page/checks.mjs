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
  const cases = suites.flatMap((suite) => suite.cases).filter(({ args }) => args.every((argument) => typeof argument === 'object'))
  const answered = cases.filter(({ ok }) => ok)
  return [called(cases), echoed(answered), strict(answered)]
}

/** The vectors of the page's functions. Answers must be plain values. */
function called(cases) {
  const functions = {
    estimate: (request, facts) => plain(page.estimate(request, facts)),
    packUserOp: (op, options) => plain(page.packUserOp(op, options)),
    signable: (request, reply, deployment, names) => plain(page.signable(request, reply, deployment, names)),
    verifyEstimate: (request, reply) => plain(page.verifyEstimate(request, reply)),
    SendoffError: { is: (thrown) => thrown?.issues?.length > 0 },
  }
  return run(functions, { suite: 'called', cases: cases.filter(({ call }) => call !== 'SendoffError' && Object.hasOwn(functions, call)) })
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
    if (value === null) return null
    if (Array.isArray(value)) return value.map((item, index) => at(item, `${place}.${index}`))
    if (typeof value === 'object') {
      if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error(`expected a plain object at \`${place}\`, found a ${value.constructor.name}`)
      const fields = Object.entries(value).map(([key, field]) => [key, at(field, place ? `${place}.${key}` : key)])
      return Object.fromEntries(fields)
    }
    // From `write`, null of JSON is undefined, unless the page sets `serialize_missing_as_null`.
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
