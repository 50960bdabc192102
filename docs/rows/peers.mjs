// The reading of a text by each library: its meaning, or undefined if the library refuses it. alloy's readings
// are in a file, which `tests/laws` compares with alloy.

import { readFileSync } from 'node:fs'
import * as oxAddress from 'ox/Address'
import * as oxHex from 'ox/Hex'
import * as oxValue from 'ox/Value'
import { safeReadText } from 'sendoff'
import * as valibot from 'valibot'
import * as viem from 'viem'
import * as zod from 'zod'

/** The result of a function; undefined if it throws or returns false. */
const given = (read) => (text) => {
  try {
    const answer = read(text)
    return answer === false ? undefined : answer === true ? 'yes' : String(answer)
  } catch {
    return undefined
  }
}
const ofZod = (schema) => given((text) => schema.parse(text) !== text || 'yes')
const ofValibot = (...steps) => given((text) => {
  const answer = valibot.parse(valibot.pipe(valibot.string(), ...steps), text)
  return answer === text || answer
})
const zodNumber = given((text) => zod.z.coerce.bigint().parse(text))
const valibotNumber = ofValibot(valibot.toBigint())

const meaning = {
  quantity: ({ decimal }) => decimal,
  hexBytes: ({ length }) => String(length),
  address: () => 'yes',
  amount: ({ hex }) => String(BigInt(hex)),
  jobId: () => 'yes',
}

const ours = (kind) => (text) => {
  const result = safeReadText(kind, text)
  return result.ok ? meaning[kind](result.value) : undefined
}

const answers = JSON.parse(readFileSync(new URL('alloy.json', import.meta.url), 'utf8'))
const alloy = (kind) => (text) => {
  const answer = answers[kind][text]
  if (answer === undefined) throw new Error(`expected an answer of alloy to ${JSON.stringify(text)} in alloy.json, found none`)
  return answer ?? undefined
}

/** For each kind, each library's function: its source and the function itself. */
export const peers = {
  quantity: {
    viem: ['hexToBigInt', given(viem.hexToBigInt)],
    ox: ['Hex.toBigInt', given(oxHex.toBigInt)],
    valibot: ['toBigint', valibotNumber],
    zod: ['coerce.bigint', zodNumber],
    alloy: ['U256::from_str', alloy('quantity')],
    sendoff: ["readText('quantity')", ours('quantity')],
  },
  hexBytes: {
    viem: ['hexToBytes', given((text) => viem.hexToBytes(text).length)],
    ox: ['Hex.toBytes', given((text) => oxHex.toBytes(text).length)],
    valibot: ['hexadecimal', ofValibot(valibot.hexadecimal())],
    zod: ['hex', given((text) => zod.z.hex().safeParse(text).success)],
    alloy: ['Bytes::from_str', alloy('hexBytes')],
    sendoff: ["readText('hexBytes')", ours('hexBytes')],
  },
  address: {
    viem: ['isAddress', given(viem.isAddress)],
    ox: ['Address.validate', given((text) => oxAddress.validate(text, { strict: true }))],
    alloy: ['Address::from_str', alloy('address')],
    sendoff: ["readText('address')", ours('address')],
  },
  amount: {
    viem: ['parseUnits(…, 0)', given((text) => viem.parseUnits(text, 0))],
    ox: ['Value.from(…, 0)', given((text) => oxValue.from(text, 0))],
    valibot: ['toBigint', valibotNumber],
    zod: ['coerce.bigint', zodNumber],
    alloy: ['U256::from_str', alloy('amount')],
    sendoff: ["readText('amount')", ours('amount')],
  },
  jobId: {
    valibot: ['uuid', ofValibot(valibot.uuid())],
    zod: ['uuid', given((text) => zod.z.uuid().safeParse(text).success)],
    sendoff: ["readText('jobId')", ours('jobId')],
  },
}

/** The issue code of a text that Sendoff refuses. */
export function refusal(kind, text) {
  const result = safeReadText(kind, text)
  return result.ok ? undefined : result.issues[0].code
}

/** The locked versions of the libraries. */
const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [, alloyVersion] = /name = "alloy-primitives"\nversion = "(.*)"/.exec(readFileSync(new URL('../../Cargo.lock', import.meta.url), 'utf8'))
const { ox, valibot: valibotVersion, viem: viemVersion, zod: zodVersion } = dependencies
export const versions = { viem: viemVersion, ox, valibot: valibotVersion, zod: zodVersion, alloy: alloyVersion }
