// An application: what it may use, its keys, its limit and its calls. A step is offered if the core permits it.

import { safeCatalogueStep, type CatalogueStep } from 'sendoff'
import { nameOf, tokenOf } from '../chains.js'
import { make, the, write } from '../page.js'
import type { Method } from './api.js'
import { button, row, time } from './rows.js'
import type { Alteration, Application } from './types.js'

/** Makes a change of the shown application, and says what was done. */
export type Act = (method: Method, path: string, body: unknown, done: string) => void

const chain = the<HTMLSelectElement>('chain')
const [policy, origins] = ['policy', 'origins'].map((id) => the<HTMLSelectElement>(id)) as [HTMLSelectElement, HTMLSelectElement]
const [limit, seconds, wallet] = ['limit', 'windowSeconds', 'wallet'].map((id) => the<HTMLInputElement>(id)) as [HTMLInputElement, HTMLInputElement, HTMLInputElement]
const these = the<HTMLTextAreaElement>('these')

export function show(application: Application, act: Act): void {
  const { catalogue, keys, refusals } = application
  const isMade = [catalogue.chains.some(({ enabled }) => enabled), (catalogue.tokens ?? []).some(({ whitelisted }) => whitelisted), keys.length > 0]
  const steps = ['enable a chain', 'whitelist a token there', 'make a key for its program'].filter((_, at) => !isMade[at])
  write(the('next'), steps.length ? `Next: ${steps.join(', then ')}.` : '')

  listChains(application)
  const ofChain = () => the('on-chain').replaceChildren(...onChain(application, chain.value, act))
  chain.onchange = ofChain
  ofChain()
  the('keys').replaceChildren(...keys.map((key) => ofKey(key, act)))
  fillAlteration(application)
  the('calls').replaceChildren(...calls(application))
  const reasons = refusals.map(({ at, operation, status, reason, issue }) => row([`${operation}: ${status}, ${reason.replaceAll('-', ' ')}${issue ? ` at ${issue}` : ''}`], time(at)))
  the('refusals').replaceChildren(...reasons)
}

/** The known chains, mainnets and testnets, and which of them are enabled. The chosen one stays. */
function listChains({ catalogue }: Application) {
  const chosen = chain.value
  const groups = (['main', 'test'] as const).map((net) => {
    const of = catalogue.chains.filter((chain) => chain.net === net)
    const options = of.map(({ caip2Id, name, enabled }) => Object.assign(make('option', '', `${titleOf(caip2Id, name)}${enabled ? ', enabled' : ''}`), { value: caip2Id }))
    return Object.assign(make('optgroup', '', ...options), { label: net === 'main' ? 'Mainnets' : 'Testnets' })
  })
  chain.replaceChildren(...groups.filter((group) => group.children.length))
  if (catalogue.chains.some(({ caip2Id }) => caip2Id === chosen)) chain.value = chosen
}

/** The name that people know, or else the catalogue's. */
const titleOf = (caip2Id: string, name: string) => (nameOf(caip2Id) === caip2Id ? name : nameOf(caip2Id))

/** A chain with its tokens and collections, which are whitelisted once it is enabled. */
function onChain({ catalogue, sponsorship }: Application, caip2Id: string, act: Act): HTMLElement[] {
  const known = catalogue.chains.find((chain) => chain.caip2Id === caip2Id)
  if (!known) return [make('p', 'hint', "The gateway's file lists no chain.")]
  const title = titleOf(caip2Id, known.name)
  const step = (verb: string, done: string, name: string, step: CatalogueStep) =>
    safeCatalogueStep(catalogue, step).ok ? [button(verb, () => act('POST', '/catalogue/steps', step, `${name} ${done}.`), `${verb} ${name}`)] : []
  const asset = (what: (Node | string)[], name: string, whitelisted: boolean | undefined, of: { caip2Id: string; tokenAddress: string } | { caip2Id: string; collectionAddress: string }, hint: string) => {
    const buttons = whitelisted
      ? step('Remove', 'is no longer whitelisted', name, { type: 'remove', ...of } as CatalogueStep)
      : step('Whitelist', 'is whitelisted', name, { type: 'whitelist', ...of } as CatalogueStep)
    return row(what, `${hint}${whitelisted ? ', whitelisted' : ''}`, buttons)
  }

  const tokens = (catalogue.tokens ?? []).filter((token) => token.caip2Id === caip2Id).map(({ tokenAddress, name, whitelisted }) => {
    const symbol = tokenOf(caip2Id, tokenAddress)?.symbol ?? name
    return asset([symbol], `${symbol} on ${title}`, whitelisted, { caip2Id, tokenAddress }, tokenAddress || "the chain's coin")
  })
  const collections = (catalogue.collections ?? []).filter((collection) => collection.caip2Id === caip2Id).map(({ collectionAddress, whitelisted }) =>
    asset(['Collection'], `${collectionAddress} on ${title}`, whitelisted, { caip2Id, collectionAddress }, collectionAddress),
  )

  const { sponsorshipEnabled = false, ...rest } = sponsorship[caip2Id] ?? { gsnEnabled: false }
  const wanted = { ...rest, sponsorshipEnabled: !sponsorshipEnabled }
  const verb = sponsorshipEnabled ? 'Stop sponsoring' : 'Sponsor fees'
  const done = `Fees on ${title} are ${sponsorshipEnabled ? 'no longer ' : ''}sponsored.`
  const sponsor = button(verb, () => act('PUT', `/sponsorship/${encodeURIComponent(caip2Id)}`, wanted, done), `${verb} on ${title}`)
  const enabling = known.enabled
    ? step('Disable', 'is disabled', title, { type: 'disable', caip2Id: known.caip2Id })
    : step('Enable', 'is enabled: whitelist its tokens now', title, { type: 'enable', caip2Id: known.caip2Id })
  const state = known.enabled ? `enabled${sponsorshipEnabled ? ', fees are sponsored' : ''}` : 'not enabled yet: its tokens are shown once it is'
  const about = row([title], `${caip2Id}, listed as ${known.name}, ${state}`, [...enabling, ...(known.enabled ? [sponsor] : [])])
  return [make('ul', 'rows', about, ...(known.enabled ? [...tokens, ...collections] : []))]
}

/** A key; one that has ended has no buttons. */
function ofKey({ id, kind, madeAt, endsAt }: Application['keys'][number], act: Act): HTMLElement {
  const hasEnded = endsAt !== undefined && endsAt <= Date.now()
  const ends = endsAt === undefined ? '' : `, ${hasEnded ? 'ended' : 'ends'} ${time(endsAt)}`
  const rotate = () => act('POST', `/keys/${id}/rotate`, { overlapSeconds: 86_400 }, 'There is a new key. The old one ends in a day.')
  const end = () => act('DELETE', `/keys/${id}`, undefined, `The key ${id} is ended.`)
  const buttons = [...(endsAt === undefined ? [button('Rotate', rotate, `Rotate ${id}`)] : []), button('End', end, `End ${id}`)]
  return row([`${kind} `, make('code', '', id)], `made ${time(madeAt)}${ends}`, hasEnded ? [] : buttons)
}

/** Fills the form of what can be changed. */
function fillAlteration(application: Application) {
  const { clientSWA, policy: own, origins: pages, window } = application
  wallet.value = clientSWA
  policy.value = !own ? 'environment' : own === 'none' ? 'none' : 'own'
  const shown = typeof own === 'object' && own ? own : window?.policy
  limit.value = String(shown?.limit ?? '')
  seconds.value = shown ? String(shown.windowMs / 1000) : ''
  origins.value = !pages ? 'environment' : pages[0] === '*' ? 'every' : 'own'
  these.value = pages?.join('\n') ?? ''
  for (const field of document.querySelectorAll<HTMLElement>('[data-of]')) {
    const of = the<HTMLSelectElement>(field.dataset['of']!)
    const follow = () => (field.hidden = of.value !== 'own')
    of.addEventListener('change', follow)
    follow()
  }
}

/** What the form says of an application, without what stays. */
export function alteration(application: Application): Partial<Alteration> {
  const own = typeof application.policy === 'object' ? application.policy : {}
  const limited = { ...own, limit: Number(limit.value), windowMs: Number(seconds.value) * 1000 }
  const said: Required<Alteration> = {
    clientSWA: wallet.value.trim(),
    policy: policy.value === 'environment' ? null : policy.value === 'none' ? 'none' : limited,
    origins: origins.value === 'environment' ? null : origins.value === 'every' ? ['*'] : these.value.split('\n').map((line) => line.trim()).filter(Boolean),
  }
  const isOther = ([key, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(application[key as keyof Alteration] ?? null)
  return Object.fromEntries(Object.entries(said).filter(isOther))
}

/** How full the window is. */
function calls({ window, refusals }: Application): HTMLElement[] {
  const last = refusals.length ? [] : [make('p', 'hint', 'No refusal since this process began.')]
  if (!window) return [make('p', '', 'Calls are not limited.'), ...last]
  const { policy: { limit, windowMs }, next } = window
  if (!next) return [make('p', '', `${limit} calls in ${windowMs / 1000} s; none was made in this window.`), ...last]
  const used = next.admitted ? Math.max(0, limit - (next.remaining ?? 0) - 1) : limit
  const meter = Object.assign(make('progress', ''), { max: limit, value: used, ariaLabel: 'Calls of this window' })
  const ends = next.admitted ? next.resetAfter : next.retryAfter
  return [meter, make('p', 'hint', `${used} of ${limit} calls; the window ends in ${ends} s.`), ...last]
}
