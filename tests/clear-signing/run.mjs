// node run.mjs: the display models of `clearSigning`, beside those of the reference library for ERC-7730. The library's own files for ERC-20
// and ERC-721 tokens are copies of the registry's.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { format, formatTypedData } from '@ethereum-sourcify/clear-signing'
import { clearSigning, estimate, signable } from 'sendoff'

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const [request, facts, deployment] = ['request', 'facts', 'deployment'].map((name) => read(`../demo/${name}.json`))
const { caip2Id } = request.details
const chainId = Number(caip2Id.split(':')[1])
const [from, to] = [facts.userSWA, '0xEc186DB52Cb079380E9Ed11740859d5a45e1B831']
const contract = '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582'

const TOKENS = [{ symbol: 'USDC', decimals: 6 }, { symbol: 'DAI', decimals: 18 }, { symbol: 'POINT', decimals: 0 }, undefined]
const AMOUNTS = [0n, 1n, 9n, 57n, 10n ** 6n, 1_500_000n, 10n ** 18n, 123_456_789_012_345_678_901n, 2n ** 128n, 2n ** 255n - 1n, 2n ** 255n, 2n ** 256n - 1n]
const word = (value) => BigInt(value).toString(16).padStart(64, '0')
const call = (selector, ...values) => `0x${selector}${values.map(word).join('')}`

/** The calls that both know: by the standard, and with the number of the arguments. */
const CALLS = {
  erc20: { transfer: (amount) => call('a9059cbb', to, amount), approve: (amount) => call('095ea7b3', to, amount) },
  erc721: {
    transferFrom: (id) => call('23b872dd', from, to, id),
    safeTransferFrom: (id) => call('42842e0e', from, to, id),
    approve: (id) => call('095ea7b3', to, id),
    setApprovalForAll: (id) => call('a22cb465', to, id % 2n),
  },
}

/** The library's model of a call. */
function theirs(data, token, standard) {
  const resolver = { index: { calldataIndex: {}, typedDataIndex: {} }, fetchDescriptor: async () => undefined }
  const trustedTokens = { [chainId]: { [contract.toLowerCase()]: standard } }
  const externalDataProvider = { resolveToken: async () => (token ? { name: token.symbol, ...token } : null) }
  return format({ chainId, to: contract, data, from }, { descriptorResolverOptions: { type: 'custom', resolver, trustedTokens }, externalDataProvider })
}

/** Our model of a call, from an operation that `signable` accepted. */
function ours(data, token) {
  const details = { caip2Id, transactions: [{ from, to: contract, data, value: '0x0' }] }
  const asked = { ...request, type: 'RAW_TRANSACTION', details }
  const names = { tokens: token ? [{ caip2Id, tokenAddress: contract, ...token }] : [] }
  const { operation, account } = signable(asked, estimate(asked, facts), deployment, names)
  const [model, ...more] = clearSigning(operation.callData, names)
  assert.deepEqual(more, [])
  assert.equal(model.interpolatedIntent, account.call.sentences[0])
  return model
}

const addresses = ({ fields }) => new Set(fields.filter(({ format }) => format === 'addressName').map(({ value }) => value))
const isUnlimited = ({ fields }) => fields.some(({ value }) => /^(an )?unlimited/i.test(value))

/** The numbers of a model as text: an amount with its symbol, or a number alone. */
function numbers({ fields }) {
  const shown = fields.filter(({ format }) => ['tokenAmount', 'nftName', 'raw'].includes(format)).map(({ value }) => value)
  return shown.map((value) => value.replace(/^NFT /, '').replace(/, or .*$/, '').replace(/ \(\d+ units?\)$/, '').replace(/ units?$/, '')).filter((value) => /^\d/.test(value))
}

let compared = 0
for (const [standard, calls] of Object.entries(CALLS)) {
  for (const [name, encode] of Object.entries(calls)) {
    for (const token of standard === 'erc20' ? TOKENS : [undefined]) {
      for (const amount of AMOUNTS) {
        const data = encode(amount)
        const [own, other] = [ours(data, token), await theirs(data, token, standard)]
        const where = `${standard} ${name} ${token?.symbol} ${amount}`
        assert.equal(other.rawCalldataFallback, undefined, where)
        for (const address of addresses(other)) assert(addresses(own).has(address), `${where}: ${address}`)
        // The library says so of tokens that it has the decimals of, and ours of every approval.
        if (token) assert.equal(isUnlimited(own), isUnlimited(other), where)
        for (const number of isUnlimited(own) ? [] : numbers(other)) {
          // Ours says "nothing" of an approval of zero.
          if (amount === 0n && own.fields.some(({ value }) => value === 'nothing')) continue
          assert(numbers(own).includes(number), `${where}: expected ${number}, found ${numbers(own)}`)
        }
        if (name === 'setApprovalForAll') {
          const [granted] = other.fields.filter(({ format }) => format === 'enum')
          const [approved] = own.fields.filter(({ format }) => format === 'enum')
          assert.deepEqual([granted.value, approved.value], amount % 2n ? ['Grant all', 'everything'] : ['Deny all', 'nothing'], where)
        }
        compared += 1
      }
    }
  }
}

// An operation of EntryPoint 0.8 as typed data, with a descriptor of its own.
const typed = signable(request, estimate(request, facts), { ...deployment, version: '0.8', signs: 'typedData' })
const descriptor = read('user-operation.json')
const { verifyingContract } = typed.typedData.domain
const { EIP712Domain, ...types } = typed.typedData.types
const place = `eip155:${deployment.chainId}:${verifyingContract.toLowerCase()}`
// Keccak-256 of the type: PACKED_USEROP_TYPEHASH of the EntryPoint.
const encodeTypeHashes = ['0x29a0bca4af4be3421398da00295e58e6d7de38cb492214754cb6a47507dd6f8e']
const typedDataIndex = { [place]: { PackedUserOperation: [{ path: 'user-operation.json', encodeTypeHashes }] } }
const resolver = { index: { calldataIndex: {}, typedDataIndex }, fetchDescriptor: async () => descriptor }
const model = await formatTypedData(
  { account: typed.operation.sender, ...typed.typedData, types },
  { descriptorResolverOptions: { type: 'custom', resolver } },
)
assert.equal(model.intent, 'Send a user operation')
const shown = Object.fromEntries(model.fields.map(({ label, value }) => [label, value]))
assert.equal(shown.Account, typed.account.operation.sender)
assert.equal(BigInt(shown.Nonce), BigInt(typed.operation.nonce))
assert.equal(shown['Call data'], typed.operation.callData)

console.log(`${compared} models agree with the library's; the typed data of an operation is shown by its descriptor`)
