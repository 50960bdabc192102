// Short messages for people who fill in a form: data, which an application replaces or translates.

import { own } from './own.js'
import { schemaIssue, type Schema, type SchemaIssue } from './schema.js'
import type { Issue } from './error.js'
import type { Reply } from './types.js'

/**
 * Messages by key, as {@link messageKeys} has them. A key that is absent is looked up in a wider one. `{wait}` in the message of a
 * reply stands for the time to wait, such as `4 min 43 s`.
 */
export type Messages = { readonly [key: string]: string }

/**
 * Returns the message for an issue, by its keys; the English message is used if it returns nothing.
 *
 * @example
 * ```ts
 * const inGerman: Translate = (keys) => i18next.t(keys, { defaultValue: '' }) || undefined
 * ```
 */
export type Translate = (keys: readonly string[], issue: SchemaIssue | ErrorReply) => string | undefined

/** A reply of the service that is an error. */
type ErrorReply = Extract<Reply, { status: 'error' }>

/** The refusal of a host in words: a sentence, and the problems of the fields that it found. */
export interface RefusalInWords {
  readonly message: string
  readonly issues: readonly SchemaIssue[]
}

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
  TokenAmount: 'Enter an amount above zero, such as 0.5.',
  checksum: 'Check this address: at least one character is wrong.',
  comma: 'Write a point and no comma: 0.5.',
  decimals: 'This token has fewer digits after the point.',
  exponent: 'Write all digits and no exponent: 1000.',
  separator: 'Write the digits alone, as in 1000.',
  space: 'Remove the space before or after it.',
  collectionAddress: 'Enter the address of the collection: 0x and 40 characters.',
  'amount rule': 'Enter 1: this NFT is a single piece.',
  'caip2Id rule': 'Choose another network: this one is not supported.',
  'tokenAddress rule': 'Choose a token that this page knows.',
  'maxPriorityFeePerGas rule': 'Enter a tip that is not above the highest fee.',
  transactions: 'Add at least one transaction, and at most 1,000.',
  reply: 'The service did not accept this.',
  'reply 401': 'Sign in again.',
  'reply 413': 'This is too long for the service.',
  'reply 429': 'Too many requests. Wait, and try again.',
  'reply 429 wait': 'Too many requests. Wait {wait}, and try again.',
  'reply 5xx': 'The service has a problem. Try again later.',
  'reply ER-TECH-0005': 'This is not enabled here. Choose another network or token.',
  'reply issues': 'Correct the fields that are marked.',
  'any empty': 'Fill in this field.',
  'any missing': 'Fill in this field.',
  'any unknown': 'Remove this field.',
  any: 'Check this field.',
}

/**
 * The keys of an issue's message, from the narrowest to the widest: its field with the code and alone
 * (`amount rule`, `amount`), the type of its text likewise (`Amount range`, `Amount`), and then `any empty` and `any`. A text
 * with a known flaw has the keys of the flaw first: an address whose checksum is wrong has `recipientWalletAddress checksum` and
 * `checksum`.
 */
export function messageKeys(issue: Pick<SchemaIssue, 'code' | 'path' | 'kind' | 'note'>): readonly string[] {
  const { code, path, kind, note } = own(issue)
  const field = path.findLast((key) => typeof key === 'string')
  const of = (name: string | undefined) => (name === undefined ? [] : [`${name} ${code}`, name])
  const flaw = note === undefined ? [] : [...(field === undefined ? [] : [`${field} ${note}`]), note]
  return [...flaw, ...of(field), ...of(kind), ...of('any')]
}

/**
 * The keys of an error reply's message, from the narrowest to the widest: the service's own code (`reply ER-TECH-0005`), `reply issues`
 * if it names fields, its code (`reply 429`, `reply 4xx`), and `reply`. A reply with `retryAfter` has the key `reply 429 wait` before
 * `reply 429`.
 */
function replyKeys(reply: ErrorReply, issues: readonly unknown[]): readonly string[] {
  const { code, errorCode, retryAfter } = own(reply)
  const ofService = errorCode === undefined ? [] : [`reply ${errorCode}`]
  return [...ofService, ...(issues.length > 0 ? ['reply issues'] : []), ...(retryAfter === undefined ? [] : [`reply ${code} wait`]), `reply ${code}`, `reply ${Math.floor(code / 100)}xx`, 'reply']
}

/** Seconds in at most two units, which most languages write so; rounded up. */
function waiting(seconds: number): string {
  for (const [unit, name, part, nameOfPart] of [[86_400, 'd', 3_600, 'h'], [3_600, 'h', 60, 'min'], [60, 'min', 1, 's']] as const) {
    if (seconds < unit) continue
    const parts = Math.ceil(seconds / part)
    const rest = parts % (unit / part)
    return `${Math.floor((parts * part) / unit)} ${name}${rest > 0 ? ` ${rest} ${nameOfPart}` : ''}`
  }
  return `${seconds} s`
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
export function inWords<T>(schema: Schema<T>, words?: Messages | Translate): Schema<T>
/**
 * The refusal of a host in words: an error reply that {@link readReply} read. The path of an issue leads to the field of the request.
 *
 * @example
 * ```ts
 * const { message, issues } = inWords(reply)
 * ```
 */
export function inWords(reply: ErrorReply, words?: Messages | Translate): RefusalInWords
export function inWords<T>(given: Schema<T> | ErrorReply, words: Messages | Translate = messages): Schema<T> | RefusalInWords {
  const translate = typeof words === 'function' ? words : (keys: readonly string[]) => lookUp(words, keys)
  const translated = (issue: SchemaIssue): SchemaIssue => {
    const keys = messageKeys(issue)
    return { ...issue, message: translate(keys, issue) ?? lookUp(messages, keys) ?? issue.message }
  }
  if (!isSchema(given)) {
    const issues = issuesOf(given).map((issue) => translated(schemaIssue({ ...issue, path: `document.${issue.path}` })))
    const keys = replyKeys(given, issues)
    const message = translate(keys, given) ?? lookUp(messages, keys)
    return { message: message?.replaceAll('{wait}', waiting(own(given).retryAfter ?? 0)) ?? given.message, issues }
  }

  const { validate, ...about } = given['~standard']
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

function isSchema<T>(given: Schema<T> | ErrorReply): given is Schema<T> {
  return Object.hasOwn(given, '~standard')
}

/** The problems of a request in the details of a refusal; other details are those of another service. */
function issuesOf(reply: ErrorReply): readonly Issue[] {
  const { details } = own(reply)
  const { issues } = own((typeof details === 'object' && details ? details : {}) as { issues?: unknown })
  const isIssue = (one: unknown) => typeof one === 'object' && one !== null && ['path', 'code', 'message'].every((key) => typeof (one as never)[key] === 'string')
  return Array.isArray(issues) ? issues.filter(isIssue) : []
}

function lookUp(messages: Messages, keys: readonly string[]): string | undefined {
  const key = keys.find((key) => Object.hasOwn(messages, key))
  return key && messages[key]
}
