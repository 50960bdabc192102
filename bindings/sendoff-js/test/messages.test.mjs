import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as sendoff from 'sendoff'
import { request } from './help.mjs'

const { inWords, messageKeys, messages, EstimateRequest, NftTransferRequest, TokenTransferRequest } = sendoff
const details = (changes) => ({ ...request, details: { ...request.details, ...changes } })

/** The messages of a schema for a value, by path. */
const said = (schema, value) => {
  const { issues = [] } = schema['~standard'].validate(value)
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]))
}

test('messages for forms are short sentences', () => {
  const typed = {
    ...details({ recipientWalletAddress: '', collectionAddress: '0x12', nftId: 'x', amount: '1.5', caip2Id: '' }),
    ...{ jobId: '7', gasDetails: { maxFeePerGas: '5', maxPriorityFeePerGas: 5n }, paymasterData: '0x0', note: 1 },
  }
  assert.deepEqual(said(inWords(NftTransferRequest), typed), {
    'details.recipientWalletAddress': 'Enter a wallet address: 0x and 40 characters.',
    'details.collectionAddress': 'Enter the address of the collection: 0x and 40 characters.',
    'details.nftId': 'Enter the number or the id of the NFT.',
    'details.amount': 'Enter a whole number above zero, in digits only.',
    'details.caip2Id': 'Choose a network.',
    jobId: 'Enter an id such as 3f1c9a52-7d84-4b0e-9a6c-52e1d07b8f43.',
    'gasDetails.maxFeePerGas': 'Enter a number that begins with 0x.',
    'gasDetails.maxPriorityFeePerGas': 'Enter a number that begins with 0x.',
    paymasterData: 'Enter 0x and an even number of characters, each 0-9 or a-f.',
    note: 'Remove this field.',
  })
})

test('every text of a request has its own message', () => {
  const empty = inWords(TokenTransferRequest)['~standard'].validate({
    ...{ type: 'TOKEN_TRANSFER', jobId: '', paymasterData: '', feePayerAddress: '' },
    gasDetails: { maxFeePerGas: '', maxPriorityFeePerGas: '' },
    details: { caip2Id: '', recipientWalletAddress: '', tokenAddress: 'x', amount: '' },
  })
  for (const { message } of empty.issues) assert(!message.startsWith('expected') && message !== messages.any, message)
  for (const message of Object.values(messages)) {
    assert.match(message, /^[A-Z].{5,62}[^.]\.$/)
    assert(!/ERC|EIP|CAIP|hex|wei|null/.test(message), message)
  }
})

test('an application can replace a message, or use another language', () => {
  const value = details({ recipientWalletAddress: '', amount: '' })
  const mine = inWords(NftTransferRequest, { ...messages, 'recipientWalletAddress empty': 'Who gets it?' })
  const [to, amount] = ['details.recipientWalletAddress', 'details.amount']
  assert.deepEqual(said(mine, value), { [to]: 'Who gets it?', [amount]: messages.Amount })
  // A message that the catalogue does not have stays in English.
  assert.deepEqual(said(inWords(NftTransferRequest, { Address: 'Adresse?' }), value), { [to]: 'Adresse?', [amount]: messages.Amount })

  const german = { 'any empty': 'Bitte ausfüllen.', Amount: 'Eine ganze Zahl eingeben.' }
  const asked = []
  const translate = (keys, issue) => {
    asked.push([issue.code, ...keys])
    return keys.map((key) => german[key]).find(Boolean)
  }
  assert.deepEqual(said(inWords(NftTransferRequest, translate), value), {
    [to]: 'Bitte ausfüllen.',
    [amount]: 'Eine ganze Zahl eingeben.',
  })
  const field = 'recipientWalletAddress'
  const keys = [`${field} empty`, field, 'Address empty', 'Address', 'any empty', 'any']
  assert.deepEqual(asked.find(([, key]) => key.startsWith(field)), ['empty', ...keys])
})

test('the keys of an issue name its innermost field, its type of text, and a wrong checksum first', () => {
  const issue = { code: 'type', path: ['details', 'transactions', 0], message: 'expected an object, found a number' }
  assert.deepEqual(messageKeys(issue), ['transactions type', 'transactions', 'any type', 'any'])
  assert.deepEqual(messageKeys({ ...issue, path: [] }), ['any type', 'any'])
  const { issues } = NftTransferRequest['~standard'].validate(details({ recipientWalletAddress: `0x${'aB'.repeat(20)}` }))
  const field = 'recipientWalletAddress'
  const checksum = [`${field} checksum`, 'checksum', `${field} format`, field, 'Address format', 'Address', 'any format', 'any']
  assert.deepEqual(issues.map(messageKeys), [checksum])
})

test('only the message changes, and a valid value is returned unchanged', () => {
  const schema = inWords(NftTransferRequest)
  const own = NftTransferRequest['~standard'].validate(details({ nftId: '' })).issues
  const found = schema['~standard'].validate(details({ nftId: '' })).issues
  assert.deepEqual(found, [{ ...own[0], message: messages.NftId }])
  assert.deepEqual(messageKeys(own[0]).at(-1), 'any')
  assert.equal(schema['~standard'].validate(request).value, request)
  assert.deepEqual([schema['~standard'].vendor, schema['~standard'].version], ['sendoff', 1])
  // An inherited key is not a message.
  assert.deepEqual(said(inWords(EstimateRequest, {}), { ...request, constructor: 1, toString: 1 }), {
    constructor: messages['any unknown'],
    toString: messages['any unknown'],
  })
})

test('rules have their own messages, and so have spaces around a text and other notations of a number', () => {
  const fees = { ...request, gasDetails: { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' } }
  for (const [path, found, key] of [
    ['details.recipientWalletAddress', `0x${'aB'.repeat(20)}`, 'checksum'],
    ['details.amount', '2', 'amount rule'],
    ['details.caip2Id', 'solana:a', 'caip2Id rule'],
    ['gasDetails.maxPriorityFeePerGas', fees, 'maxPriorityFeePerGas rule'],
    ['details.recipientWalletAddress', `${request.details.recipientWalletAddress} `, 'space'],
    ['details.amount', '1e3', 'exponent'],
    ...["1'000", '1,000', '1 000'].map((text) => ['details.amount', text, 'separator']),
  ]) {
    const value = typeof found === 'string' ? details({ [path.split('.')[1]]: found }) : found
    assert.deepEqual(said(inWords(NftTransferRequest), value), { [path]: messages[key] }, key)
  }
})

const token = { ...request, type: 'TOKEN_TRANSFER' }
const USDC = '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582'
const decimalsOf = ({ tokenAddress }) => ({ '': 18, [USDC]: 6 })[tokenAddress]
const tokens = inWords(sendoff.inTokens(TokenTransferRequest, decimalsOf))
const ofToken = (tokenAddress, amount, more) => {
  const { caip2Id, recipientWalletAddress } = request.details
  return { ...token, details: { caip2Id, recipientWalletAddress, tokenAddress, amount, ...more } }
}
const judged = (value) => tokens['~standard'].validate(value)

test('an amount is converted with the decimals of the token that is chosen when the form is submitted', () => {
  for (const [tokenAddress, units] of [['', '500000000000000000'], [USDC, '500000'], ['', '500000000000000000']]) {
    const form = ofToken(tokenAddress, ' 0.5 ', { recipientWalletAddress: ` ${request.details.recipientWalletAddress}\n` })
    const { value, issues } = judged(form)
    assert.equal(issues, undefined)
    const { amount, recipientWalletAddress } = value.details
    assert.deepEqual([amount, recipientWalletAddress], [units, request.details.recipientWalletAddress])
    // The form keeps what was typed.
    assert.equal(form.details.amount, ' 0.5 ')
  }
})

test('an amount that cannot be converted is one issue at its field, beside all others', () => {
  const messagesOf = (form) => said(tokens, form)
  for (const [amount, message] of [
    ['0,5', messages.comma], ['0.0000001', messages.decimals], ['', messages.TokenAmount], ['x', messages.TokenAmount], ['0', messages.TokenAmount],
  ]) assert.deepEqual(messagesOf(ofToken(USDC, amount)), { 'details.amount': message }, amount)
  assert.deepEqual(messagesOf(ofToken(request.details.collectionAddress, '1')), { 'details.tokenAddress': messages['tokenAddress rule'] })
  assert.deepEqual(messagesOf({ ...ofToken(USDC, '0,5'), jobId: '' }), { 'details.amount': messages.comma, jobId: messages.JobId })
  assert.deepEqual(Object.keys(messagesOf(ofToken(USDC, 5))), ['details.amount'])
  for (const none of [null, undefined, 5, 'text', [], {}, { details: null }]) assert(judged(none).issues.length > 0)
})

test('a token whose decimals are not known is named', () => {
  const { collectionAddress } = request.details
  const of = (decimalsOf, token) => sendoff.inTokens(TokenTransferRequest, decimalsOf)['~standard'].validate(ofToken(token, '1')).issues
  const [issue, ...others] = of(decimalsOf, collectionAddress)
  assert.deepEqual(others, [])
  assert.deepEqual([issue.message, issue.found], [`expected a token whose decimals are known, found the token \`${collectionAddress}\``, collectionAddress])
  assert.deepEqual(of(() => undefined, '').map(({ message }) => message), ["expected a token whose decimals are known, found the chain's own coin"])
  // A text that is no address is an issue of the schema.
  assert.deepEqual(of(decimalsOf, '0x12').map(({ kind, found }) => [kind, found]), [['TokenAddress', '0x12']])
})

test('the refusal of a host has words, and its issues those of the fields', () => {
  const reply = (code, more) => sendoff.readReply({ status: 'error', error: { code, message: 'expected …', ...more } })
  const [issue] = sendoff.safeCheckDocument('EstimateRequest', { ...request, jobId: '7' }).issues
  const issues = [{ ...issue, path: 'jobId' }]
  for (const [refused, message] of [
    [reply(401), messages['reply 401']],
    [reply(429), messages['reply 429']],
    [reply(503), messages['reply 5xx']],
    [reply(404), messages.reply],
    [reply(-32603), messages.reply],
    [reply(400, { errorCode: 'ER-TECH-0005' }), messages['reply ER-TECH-0005']],
    [reply(400, { details: 'of another service' }), messages.reply],
  ]) assert.deepEqual(inWords(refused), { message, issues: [] })
  const { message, issues: found } = inWords(reply(400, { details: { issues } }))
  assert.equal(message, messages['reply issues'])
  assert.deepEqual(found.map(({ path, message }) => [path, message]), [[['jobId'], messages.JobId]])
  assert.equal(inWords(reply(429), { 'reply 4xx': 'Später.' }).message, 'Später.')
  assert.equal(inWords(reply(429), (keys) => keys[0]).message, 'reply 429')
  for (const [seconds, words] of [[1, '1 s'], [17, '17 s'], [60, '1 min'], [283, '4 min 43 s'], [3599, '59 min 59 s'], [7141, '2 h'], [86_400, '1 d']]) {
    const limited = sendoff.readReply({ status: 'error', error: { code: 429, message: 'expected …' } }, String(seconds))
    assert.equal(inWords(limited).message, `Too many requests. Wait ${words}, and try again.`)
    assert.equal(inWords(limited, { 'reply 429 wait': 'Bitte {wait} warten.' }).message, `Bitte ${words} warten.`)
  }
})
