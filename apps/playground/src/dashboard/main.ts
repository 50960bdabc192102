// The dashboard: signs in, lists the applications, and shows one.

import { backend } from 'sendoff'
import { lead, make, the, write } from '../page.js'
import { call, signIn, type Answer, type Method } from './api.js'
import { alteration, show } from './application.js'
import { changes } from './changes.js'
import { button, row } from './rows.js'
import type { Application, Change, Late, NewKey, Session } from './types.js'

const SIZE = 100
const environment = the<HTMLSelectElement>('environment')
const value = (id: string) => the<HTMLInputElement>(id).value.trim()
/** The application that is shown. */
let shown: Application | undefined
/** The last name of the list. */
let last = ''

write(the('backend'), `sendoff, ${backend()}`)
const FORMS = { 'sign-in': enter, new: begin, know, alter }
for (const [id, submit] of Object.entries(FORMS)) {
  the(id).addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
}
environment.addEventListener('change', () => void list())
the('more-names').addEventListener('click', () => void more())
the('back').addEventListener('click', () => void list().then(() => lead(the('applications-heading'))))
the('copy').addEventListener('click', () => void navigator.clipboard.writeText(the('secret-text').textContent ?? ''))
for (const side of ['client', 'server']) {
  the(`new-${side}`).addEventListener('click', () => void change('POST', '/keys', { side }, `There is a new ${side} key.`))
}

/** Signs in with the token of the form. */
async function enter() {
  signIn(value('token'))
  const session = succeeded(await call<Session>('GET', '/session'))
  if (!session) return
  the<HTMLInputElement>('token').value = ''
  environment.replaceChildren(...session.environments.map((name) => make('option', '', name)))
  the('sign-in').hidden = true
  await list()
  lead(the('applications-heading'))
}

/** Lists the applications of the chosen environment, and the last changes. */
async function list() {
  shown = undefined
  last = ''
  the('names').replaceChildren()
  the('application').hidden = true
  the('applications').hidden = false
  await more()
  the('first-visit').hidden = the('names').children.length > 0
  await audit(the('applications'), '/audit?limit=20')
}

/** Adds the next names to the list. */
async function more() {
  const query = new URLSearchParams({ environment: environment.value, after: last, limit: String(SIZE) })
  const found = succeeded(await call<{ applications: { name: string }[] }>('GET', `/applications?${query}`))
  const names = found?.applications.map(({ name }) => name) ?? []
  the('names').append(...names.map((name) => row([name], `Environment ${environment.value}`, [button('Open', () => void choose(name), `Open ${name}`)])))
  last = names.at(-1) ?? last
  the('more-names').hidden = names.length < SIZE
}

async function audit(section: HTMLElement, path: string) {
  const found = await call<{ changes: Change[] }>('GET', path)
  section.querySelector('.changes')!.replaceChildren(...changes('data' in found ? found.data.changes : []))
}

async function choose(name: string) {
  the('secret').hidden = true
  write(the('done'), '')
  if (await refresh(name)) lead(the('application-heading'))
}

/** Makes the application of the form. */
async function begin() {
  const [name, clientSWA] = [value('name'), value('clientSWA')]
  if (!succeeded(await call<{ name: string }>('POST', '/applications', { environment: environment.value, name, clientSWA }))) return
  the<HTMLFormElement>('new').reset()
  await choose(name)
}

/** Adds a token that the catalogue does not know yet. */
async function know() {
  const token = { caip2Id: value('chain'), tokenAddress: value('tokenAddress'), name: value('symbol') }
  const isMade = await change('POST', '/catalogue/known', { tokens: [token] }, `${token.name} is listed: whitelist it now.`)
  if (isMade) the<HTMLFormElement>('know').reset()
}

/** Changes limit, pages and wallet. */
async function alter() {
  const wanted = alteration(shown!)
  if (Object.keys(wanted).length) await change('PATCH', '', wanted, 'Saved.')
  else write(the('done'), 'Nothing was changed.')
}

const at = (name: string) => `/applications/${encodeURIComponent(environment.value)}/${encodeURIComponent(name)}`

/** Shows the application as it is now. */
async function refresh(name: string): Promise<boolean> {
  const application = succeeded(await call<Application>('GET', at(name)))
  if (!application) return false
  shown = application
  the('applications').hidden = true
  the('application').hidden = false
  write(the('application-heading'), `${name} (${environment.value})`)
  show(application, (method, path, body, done) => void change(method, path, body, done))
  await audit(the('application'), `${at(name)}/audit?limit=20`)
  return true
}

/** Makes a change, and shows what it made. Returns whether it did. */
async function change(method: Method, path: string, body: unknown, done: string): Promise<boolean> {
  const focused = document.activeElement
  const made = succeeded(await call<Partial<NewKey> & Late>(method, `${at(shown!.name)}${path}`, body))
  if (!made) return false
  the('secret').hidden = made.secret === undefined
  write(the('secret-text'), made.secret ?? '')
  await refresh(shown!.name)
  write(the('done'), `${done}${made.notInService ? ` It is stored, and not in service here: ${made.notInService}.` : ''}`)
  // A button that was pressed is drawn anew, or gone.
  const again = [...document.querySelectorAll<HTMLElement>('button')].find(({ ariaLabel }) => ariaLabel && ariaLabel === focused?.ariaLabel)
  if (made.secret !== undefined) the('copy').focus()
  else if (!focused?.isConnected) (again ?? the('application-heading')).focus()
  return true
}

/** The data of an answer. Its trouble is shown, and the problems of fields at the fields. */
function succeeded<T>(answer: Answer<T>): T | undefined {
  const problems = 'problems' in answer ? answer.problems : new Map<string, string>()
  const form = document.activeElement?.closest('form')
  for (const place of document.querySelectorAll('.problem')) {
    const name = place.id.replace('-problem', '').replace('wallet', 'clientSWA')
    place.textContent = (place.closest('form') === form && problems.get(name)) || ''
  }
  the('trouble').replaceChildren(...('trouble' in answer ? [make('div', 'notice', make('p', '', answer.trouble))] : []))
  return 'data' in answer ? answer.data : undefined
}
