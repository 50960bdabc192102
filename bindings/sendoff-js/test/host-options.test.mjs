// What a host of `sendoff/http` is started with: an option that nothing knows, or that cannot work, is an error at the start.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateLimiter } from 'sendoff'
import * as http from 'sendoff/http'

const limiter = new RateLimiter({ limit: 1, windowMs: 1_000 })
const store = { admit: async () => ({ admitted: true }), touch: async () => {} }
const scope = () => 'shop'
const [facts, catalogue] = [() => ({}), () => ({ chains: [] })]
const service = { facts, catalogue }
const backend = { url: 'https://wallet.example' }
const handle = () => new Response()

/** Each guard, and the plugin with what it needs. */
const guards = {
  guardExpress: (options) => http.guardExpress(options),
  guardFastify: (options) => http.guardFastify(options),
  guardHono: (options) => http.guardHono(options),
  guardFetch: (options) => http.guardFetch(options, handle),
  fastifySendoff: (options) => http.fastifySendoff({ prefix: '', ...app() }, options && { ...service, ...options }),
}

/** An instance of Fastify, as far as the plugin uses it. */
const app = () => Object.fromEntries(['addHook', 'removeAllContentTypeParsers', 'addContentTypeParser', 'setErrorHandler', 'all'].map((name) => [name, () => {}]))

const refuses = async (start, expected, name, Kind = TypeError) => {
  await assert.rejects(async () => start(), (error) => error instanceof Kind && expected.test(error.message), `${name}: ${expected}`)
}

/** Refuses these options in each guard, with these words. */
const inEachGuard = async (rows) => {
  for (const [name, guard] of Object.entries(guards)) for (const [options, expected] of rows) await refuses(() => guard(options), expected, name)
}

test('an option that a guard does not know is refused at the start', async () => {
  await inEachGuard([
    ...['limter', 'Limiter', 'prefixes', 'rateLimiter', 'constructor', '__proto'].map((option) => [
      { scope, limiter, [option]: 'a' },
      new RegExp(`expected the options .*limiter.*, found \`${option}\``),
    ]),
    [undefined, /expected options, found undefined/],
    [null, /expected options, found null/],
  ])
  // `prefix` and `logLevel` are Fastify's own.
  const { fastifySendoff, ...others } = guards
  await fastifySendoff({ scope, limiter, prefix: '/wallet', logLevel: 'warn' })
  for (const [name, guard] of Object.entries(others)) await refuses(() => guard({ scope, limiter, prefix: '/wallet' }), /found `prefix`/, name)
  // `undefined` is as if it were not there.
  await guards.guardFetch({ scope, limiter, others: undefined })
  for (const option of ['base', 'others']) await refuses(() => fastifySendoff({ scope, limiter, [option]: 'ignore' }), new RegExp(`found \`${option}\``))
  await refuses(() => guards.guardFetch({ scope, limiter, others: 'ignore' }), /found `others`/)
  for (const [options, expected] of [[{ others: 'pass' }, /expected `ignore` or `refuse` in `others`, found `pass`/], [{ base: 'wallet/' }, /expected a path such as `\/wallet`.* in `base`/]])
    await refuses(() => guards.guardExpress({ scope, limiter, ...options }), expected)
})

test('no limit is asked for by its name', async () => {
  const none = /expected `limiter` or `store`, or `limiter: 'none'` for no limit, found none of them/
  await inEachGuard([
    ...[{}, { limiter: undefined }, { store: undefined, now: () => 5 }].map((options) => [options, none]),
    [{ limiter: 'None' }, /expected a `RateLimiter` or `none` in `limiter`, found `None`/],
    [{ limiter: { limit: 5, windowMs: 1_000 } }, /in `limiter`, found an object/],
    [{ limiter: null }, /in `limiter`, found null/],
    [{ limiter: 'none', store, onStoreLoss: 'refuse' }, /expected `store` or `limiter: 'none'`, found both/],
    [{ limiter, onStoreLoss: 'refuse' }, /expected a `store` beside `onStoreLoss`/],
    [{ store, limiter, onStoreLoss: 'admit' }, /expected `limiter` or `store`/],
    [{ store, onStoreLoss: 'local' }, /expected a `limiter` for `onStoreLoss: 'local'`, found none/],
    [{ store, onStoreLoss: undefined }, /expected `onStoreLoss` to be `refuse` or `admit`/],
    [{ store, onStoreLoss: 'open' }, /expected `onStoreLoss` to be `refuse` or `admit`/],
    [{ store: {}, onStoreLoss: 'refuse' }, /expected `RedisWindows` or the like in `store`, found an object/],
  ].map(([options, expected]) => [{ scope, ...options }, expected]))
  for (const guard of Object.values(guards)) {
    for (const options of [{ limiter }, { limiter: 'none' }, { store, onStoreLoss: 'refuse' }, { store, limiter, onStoreLoss: 'local' }]) await guard({ scope, ...options })
  }
})

test('an option that cannot work is refused at the start', async () => {
  await inEachGuard([
    [{ scope: undefined }, /expected a function in `scope`, found none/],
    [{ scope: 'shop' }, /expected a function in `scope`, found `shop`/],
    [{ onVerdict: true }, /expected a function in `onVerdict`, found true/],
    [{ traceId: 'a' }, /expected a function in `traceId`/],
    [{ now: 5 }, /expected a function in `now`, found 5/],
    [{ cors: {} }, /in `origins`, found none/],
    [{ cors: { origins: 'https://app.example' } }, /expected `\*`, or origins such as `https:\/\/app.example` without a slash at the end/],
    ...['https://app.example/', 'app.example', 'HTTPS://app.example'].map((origin) => [{ cors: { origins: [origin] } }, /origins such as .* without a slash at the end/]),
    [{ cors: { origins: '*', maxage: 5 } }, /found `maxage`/],
    [{ cors: { origins: '*', maxAge: -1 } }, /expected an integer from 0 in `maxAge`, found -1/],
  ].map(([options, expected]) => [{ scope, limiter, ...options }, expected]))
  const good = ['*', [], ['https://app.example', 'http://localhost:5173', 'null', 'capacitor://localhost']]
  for (const guard of Object.values(guards)) for (const origins of good) await guard({ scope, limiter, cors: { origins } })
  await refuses(() => http.guardFetch({ scope, limiter }), /expected the handler of all operations/)
  await refuses(() => http.guardFetch({ scope, limiter, advertise: { limit: 0, windowMs: 1 } }, handle), /limit/, 'advertise', Error)
  await refuses(() => http.credentials({}), /expected one of the functions `token`, `key` and `serverKey`, found none/)
  await refuses(() => http.credentials({ keys: () => {} }), /found `keys`/)
  await refuses(() => http.credentials({ key: new Map() }), /expected a function in `key`, found an object/)
  http.credentials({ key: () => null })
})

test('what answers the calls is checked at the start', async () => {
  const answering = {
    answerExpress: http.answerExpress,
    answerHono: http.answerHono,
    fastifySendoff: (options) => http.fastifySendoff({ prefix: '', ...app() }, { scope, limiter, ...options }),
  }
  for (const [name, answers] of Object.entries(answering)) {
    await answers(service)
    await answers({ ...service, backend: undefined, onError: undefined })
    for (const [options, expected] of [
      [{ catalogue }, /expected a function in `facts`, found none/],
      [{ facts: {}, catalogue }, /expected a function in `facts`, found an object/],
      [{ facts }, /in `catalogue`/],
      [{ ...service, backends: backend }, /found `backends`/],
      [{ ...service, onError: 'log' }, /in `onError`/],
      [{ ...service, backend: 'https://wallet.example' }, /expected options, found `https:\/\/wallet.example`/],
      [{ ...service, backend: {} }, /in `url`, found none/],
      [{ ...service, backend: { url: 'wallet.example' } }, /expected an address such as `https:\/\/wallet.example` in `url`, found `wallet.example`/],
      [{ ...service, backend: { url: 'ftp://wallet.example' } }, /in `url`/],
      [{ ...service, backend: { url: 'https://wallet.example?a=1' } }, /in `url`/],
      [{ ...service, backend: { ...backend, timeout: 5 } }, /found `timeout`/],
      [{ ...service, backend: { ...backend, timeoutMs: 0 } }, /expected an integer from 1 to 2147483647 in `timeoutMs`, found 0/],
      [{ ...service, backend: { ...backend, bodyBytes: 1.5 } }, /in `bodyBytes`, found 1.5/],
      // Its refusal could not name it.
      [{ ...service, backend: { ...backend, bodyBytes: 2 ** 32 } }, /expected an integer from 1 to 4294967295 in `bodyBytes`, found 4294967296/],
      [{ ...service, backend: { ...backend, proxies: ['10.0.0.0/8'] } }, /expected the options addresses, header/],
      [{ ...service, backend: { ...backend, proxies: { addresses: ['10.0.0.0/8'] } } }, /in `header`, found none/],
      [{ ...service, backend: { ...backend, proxies: { addresses: ['10.0.0.0/8'], header: 'x-real-ip' } } }, /expected `x-forwarded-for` or `forwarded` in `header`/],
      ...['10.0.0.0/33', '0.0.0.0/0', '10.0.0', 'proxy', '::/0', '10.0.0.0/8/8', ''].map((address) => [
        { ...service, backend: { ...backend, proxies: { addresses: [address], header: 'forwarded' } } },
        /expected an address or a network such as `10.0.0.0\/8` in `proxies.addresses`/,
      ]),
    ]) await refuses(() => answers(options), expected, name)
  }
  await refuses(() => http.answerFetch({ facts }), /in `catalogue`/)
  await refuses(() => http.answerFetch(service, 'https://wallet.example'), /expected a function that asks the backend/)
  // A backend that is used alone is checked by its first call.
  await refuses(() => http.forward({ headers: {} }, { url: 'https://wallet.example', timeout: 5 }), /found `timeout`/)
})

test('the plugin takes its options first too, and then Fastify gives its own alone', async () => {
  const plugin = http.fastifySendoff({ scope, limiter, ...service })
  for (const each of [plugin, http.fastifySendoff]) {
    assert.equal(each[Symbol.for('fastify.display-name')], 'sendoff')
    assert.equal(each[Symbol.for('plugin-meta')].name, 'sendoff')
    // Fastify keeps what it adds to itself.
    assert.equal(each[Symbol.for('skip-override')], undefined)
  }
  await plugin({ prefix: '/wallet', ...app() }, { prefix: '/wallet', logLevel: 'warn' })
  await refuses(() => plugin({ prefix: '', ...app() }, { limiter }), /expected the options prefix, logLevel, found `limiter`/)
  for (const options of [{ scope, ...service }, { scope, limiter, facts }, { scope, limiter, ...service, prefix: '/wallet' }, { scope, limter: limiter, ...service }]) {
    assert.throws(() => http.fastifySendoff(options), TypeError)
  }
})

test('the three error handlers have one shape, and none of them is one itself', async () => {
  for (const [name, errors] of Object.entries({ errorsHono: http.errorsHono, errorsExpress: http.errorsExpress, errorsFastify: http.errorsFastify })) {
    for (const options of [[], [{}], [{ onError: undefined }], [{ onError: () => {} }]]) assert.equal(typeof errors(...options), 'function', name)
    // `app.onError(errorsHono)`: the framework calls it with the error.
    for (const error of [new Error('no'), new TypeError('no'), new http.Refused({ refused: 'not-found' }), Object.assign(Object.create(Error.prototype), { status: 404 })]) {
      await refuses(() => errors(error, {}, {}), /expected options, found an error/, name)
    }
    await refuses(() => errors({ onerror: () => {} }), /expected the options onError, found `onerror`/, name)
    await refuses(() => errors({ onError: 'log' }), /in `onError`/, name)
  }
})
