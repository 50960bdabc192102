// The state of the page as code, and as a link.

import { codeOf, LANGUAGES, type Language } from './code.js'
import { deployment, request } from './documents.js'
import { fields, fill } from './fields.js'
import { fragmentOf, stateOf, type State } from './link.js'
import { make, the, write } from './page.js'
import { addTransaction } from './transactions.js'
import { replyChange } from './reply.js'

const language = the<HTMLSelectElement>('language')
const code = the<HTMLTextAreaElement>('code-text')

/** Fields that are not part of a shared state: who answers, and the secret for it. */
const OWN = ['service', 'token']

/** Connects the buttons. */
export function followShare(): void {
  language.append(...LANGUAGES.map((name) => make('option', '', name)))
  language.addEventListener('change', showCode)
  the('copy-code').addEventListener('click', () => copy(code.value, 'code-copied'))
  the('copy-link').addEventListener('click', () => {
    const address = new URL(location.href)
    address.hash = fragmentOf(state())
    void copy(address.href, 'link-copied')
  })
}

/** Shows the form's content as code. */
export function showCode(): void {
  code.value = codeOf(language.value as Language, request(), deployment())
  write(the('code-copied'), '')
  write(the('link-copied'), '')
}

/** Fills the form from the fragment of the address. Returns the state, if there is one. */
export function restore(): State | undefined {
  const state = stateOf(location.hash.slice(1))
  if (!state) return undefined
  fill('type', state.fields.type ?? '')
  the('transactions').replaceChildren()
  for (let added = 0; added < state.transactions; added += 1) addTransaction()
  const form = the<HTMLFormElement>('form')
  for (const [name, value] of Object.entries(state.fields)) {
    if (!OWN.includes(name) && form.elements.namedItem(name)) fill(name, value)
  }
  return state
}

function state(): State {
  const shown = [...fields()].filter(([name]) => !OWN.includes(name))
  const transactions = the('transactions').children.length
  return { fields: Object.fromEntries(shown.map(([name, field]) => [name, field.value])), transactions, ...replyChange() }
}

async function copy(text: string, said: string) {
  try {
    await navigator.clipboard.writeText(text)
    write(the(said), 'Copied.')
  } catch {
    code.value = text
    code.select()
    write(the(said), 'Copy the selected text.')
  }
}
