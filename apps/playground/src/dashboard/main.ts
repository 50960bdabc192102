// The dashboard: signs in, lists the applications, and shows one.

import { backend } from 'sendoff'
import { coded } from '../hex.js'
import { lead, make, the, write } from '../page.js'
import { call, signIn, type Answer, type Method } from './api.js'
import { changes, parts, type Act } from './parts.js'
import type { Application, Change, Key, Session } from './types.js'

const environment = the<HTMLSelectElement>('environment')
/** The application that is shown. */
let shown: { readonly environment: string; readonly name: string } | undefined
/** The last name of the list. */
let last = ''

write(the('backend'), `sendoff, ${backend()}`)
the('sign-in').addEventListener('submit', (event) => {
  event.preventDefault()
  void enter()
})
the('new').addEventListener('submit', (event) => {
  event.preventDefault()
  void begin()
})
environment.addEventListener('change', () => void list())
the('more-names').addEventListener('click', () => void more())
the('back').addEventListener('click', () => void list().then(() => lead(the('applications-heading'))))
the('copy').addEventListener('click', () => void navigator.clipboard.writeText(the('secret-text').textContent ?? ''))

/** Signs in with the token of the form. */
async function enter() {
  signIn(the<HTMLInputElement>('token').value.trim())
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
  const audit = succeeded(await call<{ changes: Change[] }>('GET', '/audit?size=20'))
  the('changes').replaceChildren(...changes(audit?.changes ?? []))
}

/** Adds the next names to the list. */
async function more() {
  const size = 100
  const query = new URLSearchParams({ environment: environment.value, after: last, size: String(size) })
  const found = succeeded(await call<{ applications: { name: string }[] }>('GET', `/applications?${query}`))
  const names = found?.applications.map(({ name }) => name) ?? []
  the('names').append(
    ...names.map((name) => {
      const open = make('button', '', name)
      open.type = 'button'
      open.addEventListener('click', () => void choose(name))
      return make('li', '', open)
    }),
  )
  last = names.at(-1) ?? last
  the('more-names').hidden = !(names.length === size)
}

async function choose(name: string) {
  shown = { environment: environment.value, name }
  the('secret').hidden = true
  write(the('done'), '')
  if (await refresh()) lead(the('application-heading'))
}

/** Makes the application of the form. */
async function begin() {
  const [name, clientSWA] = ['name', 'clientSWA'].map((id) => the<HTMLInputElement>(id).value.trim())
  const answer = await call<{ name: string }>('POST', '/applications', { environment: environment.value, name, clientSWA })
  for (const id of ['name', 'clientSWA']) {
    const problem = 'problems' in answer ? answer.problems.find(({ path }) => path === id)?.message : undefined
    const field = the<HTMLInputElement>(id)
    if (problem) field.setAttribute('aria-invalid', 'true')
    else field.removeAttribute('aria-invalid')
    write(the(`${id}-problem`), ...coded(problem ? `${problem}.` : ''))
  }
  if (!succeeded(answer)) return
  the<HTMLFormElement>('new').reset()
  await choose(name!)
}

/** Shows the application as it is now. */
async function refresh(): Promise<boolean> {
  if (!shown) return false
  const at = `/applications/${encodeURIComponent(shown.environment)}/${encodeURIComponent(shown.name)}`
  const application = succeeded(await call<Application>('GET', at))
  if (!application) return false
  const audit = succeeded(await call<{ changes: Change[] }>('GET', `${at}/audit?size=20`))
  the('applications').hidden = true
  the('application').hidden = false
  write(the('application-heading'), `${shown.name} (${shown.environment})`)
  const act: Act = (method, path, body, done) => void change(method, `${at}${path}`, body, done)
  the('parts').replaceChildren(...parts(application, audit?.changes ?? [], act))
  return true
}

/** Makes a change, and shows what it made. */
async function change(method: Method, path: string, body: unknown, done: string) {
  const made = succeeded(await call<Partial<Key>>(method, path, body))
  if (!made) return
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['step'] : undefined
  the('secret').hidden = !(made.secret !== undefined)
  if (made.secret !== undefined) write(the('secret-text'), made.secret)
  await refresh()
  write(the('done'), done)
  // The button that was pressed is drawn anew, or gone.
  const again = [...document.querySelectorAll<HTMLElement>('[data-step]')].find(({ dataset }) => dataset['step'] === focused)
  if (made.secret !== undefined) the('copy').focus()
  else (again ?? the('application-heading')).focus()
}

/** The data of an answer; its trouble is shown. */
function succeeded<T>(answer: Answer<T>): T | undefined {
  const trouble = 'trouble' in answer ? [make('div', 'notice', make('p', 'title', ...coded(answer.trouble)))] : []
  the('trouble').replaceChildren(...trouble)
  return 'data' in answer ? answer.data : undefined
}
