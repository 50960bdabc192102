// What a host is started with: an option that nothing knows, or that cannot work, is an error at the start and not a missing limit.

import { own } from '../own.js'

/** How an option is checked; undefined if it is right, else what was expected. */
export type Rule = (value: unknown) => string | undefined

/** A rule for each option. An absent one is right, unless it is in `required`. */
export interface Rules {
  readonly [name: string]: Rule
}

export const isFunction: Rule = (value) => (typeof value === 'function' ? undefined : 'a function')

export const anything: Rule = () => undefined

/** An object with these functions. */
export const withFunctions = (what: string, ...names: readonly string[]): Rule =>
  (value) => (names.every((name) => typeof Object(value)[name] === 'function') ? undefined : what)

export const isInteger = (value: unknown, least: number, most: number): value is number => Number.isInteger(value) && Number(value) >= least && Number(value) <= most

/** An integer from 1 to `most`. */
export const integer = (most: number): Rule => (value) => (isInteger(value, 1, most) ? undefined : `an integer from 1 to ${most}`)

/**
 * Returns the own options of a host.
 *
 * @throws TypeError for one that no rule knows, for one that cannot work, and for a required one that is absent.
 */
export function checked<Options extends object>(given: Options, rules: Rules, ...required: readonly string[]): Options {
  if (typeof given !== 'object' || given === null || isError(given)) throw new TypeError(`expected options, found ${named(given)}`)
  const options: { readonly [name: string]: unknown } = own(given) as never
  for (const name of Object.keys(options)) {
    // As if it were not there.
    if (options[name] === undefined) continue
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule) throw new TypeError(`expected the options ${Object.keys(rules).join(', ')}, found \`${name}\``)
    const expected = rule(options[name])
    if (expected !== undefined) throw new TypeError(`expected ${expected} in \`${name}\`, found ${named(options[name])}`)
  }
  for (const name of required) {
    if (options[name] === undefined) throw new TypeError(`expected ${rules[name]!(undefined)} in \`${name}\`, found none`)
  }
  return options as Options
}

/** Works for errors of other realms. */
export function isError(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Error]' || value instanceof Error
}

/** A value, for a sentence. No secret is an option, but objects of a host are long. */
function named(value: unknown): string {
  if (typeof value === 'string') return `\`${value.slice(0, 64)}\``
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null ? (isError(value) ? 'an error' : Array.isArray(value) ? 'a list' : 'an object') : String(value)
}
