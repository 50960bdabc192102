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
    expect(holds(back, document), `expected ${JSON.stringify(document)}, found ${JSON.stringify(back)}`)
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
      return expect(String(error).includes(place), `expected an error at ${place}, found ${error}`)
    }
    throw new Error('expected an error, found none')
  }
  const accepts = (document) => () => expect(holds(plain(page.echo('EstimateRequest', document)), request), 'it is another one')
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
    ['a map', accepts(new Map(Object.entries(request)))],
    ['a getter', accepts({ ...rest, get jobId() { return jobId } })],
    ['toJSON is no part of it', refuses({ ...request, toJSON: () => request }, 'toJSON')],
  ])
}

const PLAIN = [Object, Array, String, Number, Boolean].map(({ prototype }) => prototype)

/** The value if JSON can express all of it. */
function plain(value) {
  const text = JSON.stringify(value, (key, part) => {
    // From `write`, null of JSON is undefined, unless the page sets `serialize_missing_as_null`.
    if (part === undefined || part === null) return null
    if (!PLAIN.includes(Object.getPrototypeOf(part))) throw new Error(`expected a value of JSON at \`${key}\`, found a ${part.constructor.name}`)
    return part
  })
  return JSON.parse(text)
}

/** Returns `true` if a value contains another. */
function holds(value, part) {
  if (typeof part !== 'object' || part === null) return value === part
  return typeof value === 'object' && value !== null && Object.keys(part).every((key) => holds(value[key], part[key]))
}

/** The checks that hold. One that does not throws. */
function tally(suite, checks) {
  const functions = { SendoffError: { is: () => false }, ...checks.map(([, check]) => () => (check(), true)) }
  return run(functions, { suite, cases: checks.map(([name], call) => ({ name, call, args: [], accept: true })) })
}

function expect(isSo, why) {
  if (!isSo) throw new Error(why)
}
