// The playground: the demonstration, the reply that it is about, a form for other transfers, and the rate limit.

import { backend, type EstimateRequest, type Issue } from 'sendoff'
import { deployments } from 'sendoff/deployments'
import pinned from '../../../tests/demo/deployment.json'
import demo from '../../../tests/demo/request.json'
import { nameOf } from './chains.js'
import { deployment, field, fill, followForm, judge, parsed, refuse, request, tokenOfAmount } from './form.js'
import { coded } from './hex.js'
import { followLimit } from './limit.js'
import { lead, make, the, uuid, write } from './page.js'
import { deploymentOfPocket, exampleOf, LIES } from './pocket.js'
import { followReply, formChanged, showReply } from './reply.js'
import { call, dataOf, isGateway, notice, read, troubleOf } from './service.js'
import { followShare, linked, showCode } from './share.js'
import { play } from './story.js'
import { inUnits } from './units.js'

/** How often the service was asked. */
let questions = 0
const [preset, lie] = [the<HTMLSelectElement>('preset'), the<HTMLSelectElement>('lie')]

lie.append(...LIES.map(({ name, about }) => Object.assign(make('option', '', about), { value: name })))
preset.append(...Object.keys(deployments).map((name) => make('option', '', name)))
write(the('backend'), `sendoff, ${backend()}`)
followForm(changed, ask)
followReply()
followLimit()
followShare()

the('example').addEventListener('click', example)
the('new-job').addEventListener('click', () => fillIn({ jobId: uuid() }))
preset.addEventListener('change', () => {
  const chosen = Object.entries(deployments).find(([name]) => name === preset.value)?.[1]
  const own = parsed(deployment())
  if (chosen) fillIn({ deployment: pretty({ ...(typeof own === 'object' ? own : {}), ...chosen }) })
})
field('service').addEventListener('change', () => {
  choose()
  void ask()
})
field('token').addEventListener('change', () => {
  void askLists()
  void ask()
})
lie.addEventListener('change', ask)
addEventListener('hashchange', begin)
begin()

/** The fields of the address come first: a shared form, or an access token, with which the gateway answers. */
function begin() {
  const fields = linked()
  fill({ lie: 'recipient-swapped', service: 'token' in fields ? 'gateway' : 'pocket', type: 'token' in fields ? 'NFT_TRANSFER' : 'TOKEN_TRANSFER', ...fields })
  choose()
  fillIn(fields)
  ask()
}

/** Each service has a deployment and assets of its own. */
function choose() {
  fill({ deployment: pretty(isGateway() ? pinned : deploymentOfPocket()) })
  example()
  void askLists()
}

/** Fills in an example that the chosen service can answer. */
function example() {
  const type = field('type').value
  const isDemo = isGateway() && type === 'NFT_TRANSFER'
  const { details, gasDetails, ...rest } = (isDemo ? { ...demo, jobId: uuid() } : exampleOf(type)) as unknown as EstimateRequest
  const { amount, transactions, ...texts } = details as unknown as { [key: string]: unknown; amount?: string }
  const fees = Object.entries(gasDetails).map(([key, value]) => [`gasDetails.${key}`, inUnits(BigInt(value as string), 9)])
  const fields = Object.entries(texts).map(([key, value]) => [`details.${key}`, value])
  fill({ ...rest, ...Object.fromEntries([...fields, ...fees]), 'details.transactions': transactions ? pretty(transactions) : '' })
  if (amount) fill({ 'details.amount': inUnits(amount, tokenOfAmount()?.decimals ?? 0).replaceAll(',', '') })
  fillIn({})
}

function pretty(document: unknown): string {
  return JSON.stringify(document, null, 2)
}

/** Fills fields with the events of a change by the user. */
function fillIn(values: { readonly [path: string]: string }) {
  fill(values)
  the('form').dispatchEvent(new Event('input'))
}

function changed() {
  fill({})
  the('lie-field').hidden = isGateway()
  the('token-field').hidden = !isGateway()
  write(the('service-hint'), isGateway() ? 'It needs an access token, which stays in this page and goes to the gateway.' : 'Nothing leaves this page: the service, its ledger and its chain are here.')
  const token = tokenOfAmount()
  const unit = field('type').value === 'NFT_TRANSFER' ? 'Pieces; an ERC721 token is one.' : token ? `In ${token.symbol}.` : 'In the smallest unit of the token.'
  write(the('amount-hint'), unit)
  formChanged(request())
  showCode()
}

/** Asks the service what it allows, for the suggestions of the form. */
async function askLists() {
  for (const id of ['networks', 'tokens', 'token-state']) the(id).replaceChildren()
  if (isGateway() && !field('token').value) return
  const answers = await Promise.all([call('supportedNetworks'), call('supportedTokens')])
  const [networks, tokens] = answers.map(dataOf) as [{ network?: Record<string, string>[] }?, { tokens?: Record<string, string>[] }?]
  const option = (value = '', label = '') => Object.assign(make('option', ''), { value, label })
  the('networks').replaceChildren(...(networks?.network ?? []).map((each) => option(`eip155:${each['chain_id']}`, each['network_name'])))
  the('tokens').replaceChildren(...(tokens?.tokens ?? []).map((each) => option(each['token_address'], `${each['token_name']}, ${each['network_name']}`)))
  const names = (networks?.network ?? []).map((each) => nameOf(`eip155:${each['chain_id']}`)).join(', ')
  if (isGateway()) write(the('token-state'), ...coded(troubleOf(answers[0]) ?? `Accepted, for ${names || 'no network'}.`))
}

/** Plays the transfer with the pocket service, or asks the gateway for its reply. */
async function ask() {
  const asked = request()
  judge()
  if (!the<HTMLFormElement>('form').checkValidity()) return the<HTMLFormElement>('form').reportValidity()
  const question = ++questions
  const send = the<HTMLButtonElement>('send')
  const isPressed = document.activeElement === send
  send.disabled = true
  const played = isGateway() ? undefined : await play(asked, deployment(), lie.value)
  const answer = played ? read({ headers: new Headers(), status: 200 }, played.reply) : await call('estimate', asked)
  // Something else was asked for meanwhile.
  if (question !== questions) return
  send.disabled = false

  const trouble = troubleOf(answer)
  the('runs').replaceChildren(...(played && trouble === undefined ? played.cards : []))
  the('trouble').replaceChildren(...(trouble === undefined ? [] : [notice(...coded(trouble))]))
  showReply(asked, trouble === undefined && 'text' in answer ? answer.text : undefined, played?.lie)
  const issues = issuesIn(answer)
  if (issues.length) refuse(issues)
  else if (isPressed) lead(the('headline'))
}

/** The problems that the service found in the request. */
function issuesIn(answer: Awaited<ReturnType<typeof call>>): readonly Issue[] {
  if ('trouble' in answer || answer.reply.status === 'success') return []
  return (answer.reply.details as { issues?: readonly Issue[] } | null | undefined)?.issues ?? []
}
