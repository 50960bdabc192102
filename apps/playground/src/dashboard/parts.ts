// The parts of an application: what it may use, its keys, its calls, and what was changed. A step is offered if the core permits it.

import { safeCatalogueStep, type CatalogueStep } from 'sendoff'
import { coded } from '../hex.js'
import { make } from '../page.js'
import type { Method } from './api.js'
import type { Application, Change, Key, Refused } from './types.js'

/** Makes a change of the shown application, and says what was done. */
export type Act = (method: Method, path: string, body: unknown, done: string) => void

export function parts(application: Application, audit: readonly Change[], act: Act): HTMLElement[] {
  return [
    make('h2', '', 'Chains and tokens'),
    ...application.catalogue.chains.map(({ caip2Id }) => chain(application, caip2Id, act)),
    knowMore(application, act),
    make('h2', '', 'Keys'),
    rows('Keys', application.keys.map((key) => ofKey(key, act)), 'No key yet.'),
    make(
      'div',
      'buttons',
      button('Make a client key', 'new-client', () => act('POST', '/keys', { side: 'client' }, 'A client key was made.')),
      button('Make a server key', 'new-server', () => act('POST', '/keys', { side: 'server' }, 'A server key was made.')),
    ),
    make('h2', '', 'Calls'),
    ...calls(application),
    make('h2', '', 'Last changes'),
    list(changes(audit)),
  ]
}

/** A chain with its tokens and collections. */
function chain({ catalogue, sponsorship }: Application, caip2Id: string, act: Act): HTMLElement {
  const known = catalogue.chains.find((chain) => chain.caip2Id === caip2Id)!
  const steps = (step: CatalogueStep, what: string, name: string) => {
    if (!safeCatalogueStep(catalogue, step).ok) return []
    const done = `${what}: ${name}.`
    return [button(what, JSON.stringify(step), () => act('POST', '/catalogue/steps', step, done), `${what} ${name}`)]
  }
  const toggle = (isOn: boolean | undefined, name: string, on: CatalogueStep, off: CatalogueStep, words: readonly [string, string, string]) =>
    isOn ? [make('span', 'on', words[0]), ...steps(off, words[2], name)] : steps(on, words[1], name)

  const tokens = (catalogue.tokens ?? []).filter((token) => token.caip2Id === caip2Id).map((token) => {
    const step = { caip2Id, tokenAddress: token.tokenAddress }
    const address = token.tokenAddress ? make('code', '', token.tokenAddress) : 'the native token'
    const words = ['Whitelisted', 'Whitelist', 'Remove'] as const
    const name = `${token.name} on ${known.name}`
    const state = toggle(token.whitelisted, name, { type: 'whitelist', ...step }, { type: 'remove', ...step }, words)
    return row([make('p', '', token.name), make('p', 'hint', address)], state)
  })
  const collections = (catalogue.collections ?? []).filter((collection) => collection.caip2Id === caip2Id)
  const ofCollections = collections.map(({ collectionAddress, whitelisted }) => {
    const step = { caip2Id, collectionAddress }
    const words = ['Whitelisted', 'Whitelist', 'Remove'] as const
    const name = `${collectionAddress} on ${known.name}`
    const state = toggle(whitelisted, name, { type: 'whitelist', ...step }, { type: 'remove', ...step }, words)
    return row([make('p', '', 'Collection'), make('p', 'hint', make('code', '', collectionAddress))], state)
  })

  const policy = sponsorship.find((policy) => policy.caip2Id === caip2Id)
  const isSponsored = policy?.sponsorshipEnabled ?? false
  const wanted = {
    gsnEnabled: policy?.gsnEnabled ?? false,
    sponsorshipEnabled: !isSponsored,
    ...(policy?.transactionFee === undefined ? {} : { transactionFee: policy.transactionFee }),
  }
  const verb = isSponsored ? 'Stop sponsoring' : 'Sponsor'
  const sponsor = button(
    verb,
    `sponsor-${caip2Id}`,
    () => act('PUT', `/sponsorship/${encodeURIComponent(caip2Id)}`, wanted, `${verb}: ${known.name}.`),
    `${verb} ${known.name}`,
  )
  const state = toggle(known.enabled, known.name, { type: 'enable', caip2Id }, { type: 'disable', caip2Id }, ['Enabled', 'Enable', 'Disable'])
  const net = known.net === 'main' ? 'main net' : 'test net'
  const title = make('h3', '', known.name)
  const about = make('p', 'hint', make('code', '', caip2Id), `, ${net}${isSponsored ? ', fees are sponsored' : ''}`)
  // What is on a chain that is not enabled is hidden.
  const inside = known.enabled ? [list([...tokens, ...ofCollections]), make('div', 'buttons', sponsor)] : []
  return make('div', 'chain', make('div', 'what', title, about), make('div', 'buttons', ...state), ...inside)
}

/** Adds a token that the catalogue does not know yet. */
function knowMore({ catalogue }: Application, act: Act): HTMLElement {
  const field = (id: string, label: string, input: HTMLInputElement | HTMLSelectElement) => {
    input.id = id
    const name = make('label', '', label)
    name.htmlFor = id
    return make('div', 'field', name, input)
  }
  const chain = make('select', '', ...catalogue.chains.map(({ caip2Id }) => make('option', '', caip2Id)))
  const [name, address] = [make('input', ''), make('input', 'code')]
  const form = make(
    'form',
    '',
    make('div', 'columns', field('more-chain', 'Chain', chain), field('more-name', 'Name of the token', name)),
    field('more-address', 'Its address; empty for the native token', address),
    make('button', '', 'Add the token'),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const token = { caip2Id: chain.value, tokenAddress: address.value.trim(), name: name.value.trim() }
    act('POST', '/catalogue/known', { tokens: [token] }, `Added: ${token.name}. Whitelist it now.`)
  })
  return make('details', '', make('summary', '', 'Add a token'), form)
}

function ofKey({ id, kind, madeAt, endsAt }: Key, act: Act): HTMLElement {
  const ends = endsAt === undefined ? '' : `, ends ${time(endsAt)}`
  const rotate = button(
    'Rotate',
    `rotate-${id}`,
    () => act('POST', `/keys/${id}/rotate`, { overlapSeconds: 86_400 }, 'Rotated: the old key ends in a day.'),
    `Rotate ${id}`,
  )
  const end = button('End', `end-${id}`, () => act('DELETE', `/keys/${id}`, undefined, 'The key was ended.'), `End ${id}`)
  return row([make('p', '', `${kind} `, make('code', '', id)), make('p', 'hint', `made ${time(madeAt)}${ends}`)], [rotate, end])
}

/** The window and the last refusals. */
function calls({ window, refusals }: Application): HTMLElement[] {
  return [...fill(window), rows('Refusals', refusals.map(ofRefusal), 'No refusal since this process began.')]
}

function fill(window: Application['window']): HTMLElement[] {
  if (!window) return [make('p', '', 'No limit.')]
  const { limit } = window.policy
  if (!window.next) return [make('p', '', `${limit} calls in a window. This process has had no call in this one.`)]
  const left = window.next.admitted ? (window.next.remaining ?? 0) + 1 : 0
  const used = Math.max(0, Math.min(limit, limit - left))
  const meter = Object.assign(make('progress', ''), { max: limit, value: used })
  meter.setAttribute('aria-label', 'Calls of this window')
  const seconds = window.next.admitted ? window.next.resetAfter : window.next.retryAfter
  return [meter, make('p', 'hint', `${used} of ${limit} calls; the window ends in ${seconds} s.`)]
}

function ofRefusal({ at, operation, status, reason, issue }: Refused): HTMLElement {
  const where = issue ? ` at \`${issue}\`` : ''
  return row([make('p', '', ...coded(`${status} \`${reason}\`${where}`)), make('p', 'hint', `${operation}, ${time(at)}`)], [])
}

/** Rows of the audit log. */
export function changes(audit: readonly Change[]): HTMLElement[] {
  return audit.map(({ action, by, madeAt, environment, application, about }) => {
    const { type: _, ...more } = about
    const words = Object.entries(more).map(([key, value]) => `${key} ${told(key, value)}`)
    const what = [`${action}: ${application} (${environment})`, ...words].join(', ')
    return row([make('p', '', what), make('p', 'hint', `by ${by}, ${time(madeAt)}`)], [])
  })
}

/** A value of the audit log, for people. */
function told(key: string, value: unknown): string {
  if (key.endsWith('At') && typeof value === 'number') return time(value)
  return key === 'tokenAddress' && value === '' ? 'native' : String(value)
}

function rows(label: string, items: readonly HTMLElement[], none: string): HTMLElement {
  if (!items.length) return make('p', 'hint', none)
  const all = list(items)
  all.setAttribute('aria-label', label)
  return all
}

function list(items: readonly HTMLElement[]): HTMLElement {
  return make('ul', 'rows', ...items)
}

function row(what: readonly Node[], controls: readonly Node[]): HTMLElement {
  return make('li', '', make('div', 'what', ...what), ...(controls.length ? [make('div', 'buttons', ...controls)] : []))
}

function button(text: string, step: string, press: () => void, label = text): HTMLButtonElement {
  const made = make('button', '', text)
  made.type = 'button'
  made.dataset['step'] = step
  if (label !== text) made.setAttribute('aria-label', label)
  made.addEventListener('click', press)
  return made
}

const time = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 19)
