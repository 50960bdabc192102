// Short messages for people who fill in a form: data, which an application replaces or translates.

import { KINDS } from './kinds.js'
import { own } from './own.js'
import type { Schema, SchemaIssue } from './schema.js'

/** Messages by key, as {@link messageKeys} has them. A key that is absent is looked up in a wider one. */
export type Messages = { readonly [key: string]: string }

/**
 * Returns the message for an issue, by its keys; the English message is used if it returns nothing.
 *
 * @example
 * ```ts
 * const inGerman: Translate = (keys) => i18next.t(keys, { defaultValue: '' }) || undefined
 * ```
 */
export type Translate = (keys: readonly string[], issue: SchemaIssue) => string | undefined

/**
 * The messages in English.
 *
 * @example
 * ```ts
 * const mine = { ...messages, recipientWalletAddress: 'Who gets it? Enter 0x and 40 characters.' }
 * ```
 */
export const messages: Messages = {
  Address: 'Enter a wallet address: 0x and 40 characters.',
  Amount: 'Enter a whole number above zero, in digits only.',
  ChainId: 'Choose a network.',
  FeeAmount: 'Enter a whole number, in digits only.',
  HexBytes: 'Enter 0x and an even number of characters, each 0-9 or a-f.',
  JobId: 'Enter an id such as 3f1c9a52-7d84-4b0e-9a6c-52e1d07b8f43.',
  NftId: 'Enter the number or the id of the NFT.',
  NftType: 'Choose the type of the NFT.',
  Quantity: 'Enter a number that begins with 0x.',
  Quantity128: 'Enter a number that begins with 0x.',
  TokenAddress: "Enter the token's address, or nothing for the network's coin.",
  checksum: 'Check this address: at least one character is wrong.',
  collectionAddress: 'Enter the address of the collection: 0x and 40 characters.',
  'amount rule': 'Enter 1: this NFT is a single piece.',
  'caip2Id rule': 'Choose another network: this one is not supported.',
  'maxPriorityFeePerGas rule': 'Enter a tip that is not above the highest fee.',
  transactions: 'Add at least one transaction, and at most 1,000.',
  'any empty': 'Fill in this field.',
  'any missing': 'Fill in this field.',
  'any unknown': 'Remove this field.',
  any: 'Check this field.',
}

/**
 * The keys of an issue's message, from the narrowest to the widest: its field with the code and alone
 * (`amount rule`, `amount`), the type of its text likewise (`Amount range`, `Amount`), and then `any empty` and `any`. An
 * address whose checksum is wrong has the keys `recipientWalletAddress checksum` and `checksum` first.
 */
export function messageKeys({ code, path, message, expected }: SchemaIssue): readonly string[] {
  const field = path.findLast((key) => typeof key === 'string')
  const kind = (KINDS as Messages)[expected]
  const of = (name: string | undefined) => (name === undefined ? [] : [`${name} ${code}`, name])
  const checksum = message.endsWith(', whose checksum is wrong') ? [`${field} checksum`, 'checksum'] : []
  return [...checksum, ...of(field), ...of(kind), ...of('any')]
}

/**
 * A schema whose issues have messages for people: in English, with an application's own `words`, or in another language.
 * Everything else of an issue stays as it was.
 *
 * @example
 * ```ts
 * import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
 *
 * const form = useForm({ resolver: standardSchemaResolver(inWords(NftTransferRequest)) })
 * ```
 */
export function inWords<T>(schema: Schema<T>, words: Messages | Translate = messages): Schema<T> {
  const { validate, ...about } = schema['~standard']
  const translate = typeof words === 'function' ? words : (keys: readonly string[]) => lookUp(words, keys)
  const translated = (issue: SchemaIssue): SchemaIssue => {
    const keys = messageKeys(issue)
    return { ...issue, message: translate(keys, issue) ?? lookUp(messages, keys) ?? issue.message }
  }
  return {
    '~standard': {
      ...about,
      validate: (value) => {
        const result = validate(value)
        const { issues } = own(result)
        return issues ? { issues: issues.map(translated) } : result
      },
    },
  }
}

function lookUp(messages: Messages, keys: readonly string[]): string | undefined {
  const key = keys.find((key) => Object.hasOwn(messages, key))
  return key && messages[key]
}
