// The last changes, in sentences.

import { nameOf, tokenOf } from '../chains.js'
import { coded } from '../hex.js'
import { row, time } from './rows.js'
import type { Change } from './types.js'

type About = { readonly [key: string]: any }

/** Rows of the audit log: `alice whitelisted POL on Polygon Amoy for shop.` */
export const changes = (audit: readonly Change[]) =>
  audit.map(({ action, by, madeAt, environment, name, about }) => {
    const whole = `the application ${name}`
    const verb = VERBS[action]?.(about, whole) ?? action
    const rest = verb.includes(whole) ? '' : ` for ${name}`
    return row(coded(`${by} ${verb}${rest}.`), `${environment}, ${time(madeAt)}`)
  })

const VERBS: { readonly [action: string]: (about: About, whole: string) => string } = {
  makeApplication: ({ clientSWA }, whole) => `made ${whole}, with the wallet \`${clientSWA}\``,
  changeApplication: (about) => `changed ${ALTERED.filter((key) => Object.hasOwn(about, key)).map((key) => altered(key, about[key])).join(' and ')}`,
  removeApplication: (_, whole) => `removed ${whole}`,
  makeKey: ({ id, kind }) => `made the ${credential(kind)} \`${id}\``,
  rotateKey: ({ id, kind, replaces, endsAt }) => `made the ${credential(kind)} \`${id}\` in the place of \`${replaces}\`, which ends at ${time(endsAt)},`,
  endKey: ({ id, kind }) => `ended the ${credential(kind)} \`${id}\``,
  stepCatalogue: (about) => STEPS[about['type']]!(about),
  knowMore: ({ chains, tokens, collections }) => `added ${[...chains.map(({ name }: About) => name), ...[...tokens, ...collections].map(asset)].join(', ')}`,
  sponsor: ({ caip2Id, sponsorshipEnabled }) => `${sponsorshipEnabled ? 'began' : 'stopped'} to sponsor fees on ${nameOf(caip2Id)}`,
}

const STEPS: { readonly [type: string]: (about: About) => string } = {
  enable: ({ caip2Id }) => `enabled ${nameOf(caip2Id)}`,
  disable: ({ caip2Id }) => `disabled ${nameOf(caip2Id)}`,
  whitelist: (about) => `whitelisted ${asset(about)}`,
  remove: (about) => `removed ${asset(about)} from the whitelist`,
}

const credential = (kind: string) => (kind === 'user' ? "user's token" : `${kind} key`)

/** `POL on Polygon Amoy`: a token by its symbol, a collection by its address. */
function asset({ caip2Id, tokenAddress, collectionAddress, name }: About): string {
  const token = tokenOf(caip2Id, tokenAddress)?.symbol ?? name ?? `the token \`${tokenAddress}\``
  return `${collectionAddress ? `the collection \`${collectionAddress}\`` : token} on ${nameOf(caip2Id)}`
}

/** What can be changed of an application, in the order of a sentence. */
const ALTERED = ['clientSWA', 'policy', 'origins']

function altered(key: string, value: any): string {
  if (key === 'clientSWA') return `the wallet to \`${value}\``
  const of = key === 'policy' ? 'the limit' : 'the pages'
  if (value === null) return `${of} to what the environment has`
  if (key === 'origins') return `the pages to ${value[0] === '*' ? 'every page' : value.join(', ') || 'none'}`
  return value === 'none' ? 'the limit to none' : `the limit to ${value.limit} calls in ${value.windowMs / 1000} s`
}
