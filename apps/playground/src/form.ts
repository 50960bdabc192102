// The form: a problem is shown at its field after the field was visited or the form was submitted.

import type { Issue } from 'sendoff'
import { deployment, request } from './documents.js'
import { fields, mark, text, title, visit, type Field } from './fields.js'
import { short } from './messages.js'
import { lead, make, prose, show, the, write } from './page.js'
import { problems } from './problems.js'

const form = the<HTMLFormElement>('form')
const visited = new Set<string>()
let attempted = false
let refused: readonly Issue[] = []

/** Listens to the form, and calls `send` when it is submitted without problems. */
export function followForm(send: () => void): void {
  let pressed = false
  form.addEventListener('input', () => {
    refused = []
    judge()
  })
  form.addEventListener('focusout', ({ target }) => {
    visited.add((target as Field).name)
    // A new message must not move the button under the pointer.
    if (!pressed) judge()
  })
  addEventListener('pointerdown', () => (pressed = true))
  for (const end of ['pointerup', 'pointercancel']) {
    addEventListener(end, () => {
      pressed = false
      // After the click event.
      setTimeout(judge)
    })
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    refused = []
    attempted = true
    if (judge().length) lead(the('summary'))
    else send()
  })
}

/** Resets the state: no field was visited, and the form was not submitted. */
export function startAnew(): void {
  visited.clear()
  attempted = false
  refused = []
}

/** Shows the problems that the service found in the request. */
export function refuse(issues: readonly Issue[]): void {
  refused = issues
  attempted = true
  judge()
  lead(the('summary'))
}

/** Shows the problems of the form's content; returns all of them, shown or not. */
function judge(): readonly Issue[] {
  const found = new Map<string, Issue>()
  for (const issue of [...problems(text('token'), request(), deployment()), ...refused]) {
    if (!found.has(issue.path)) found.set(issue.path, issue)
  }
  const shown = fields()
  for (const [path, field] of shown) {
    const issue = attempted || visited.has(path) ? found.get(path) : undefined
    mark(field, issue && short(issue))
  }
  // In the order of the form; then those that have no field.
  const paths = new Set([...[...shown.keys()].filter((path) => found.has(path)), ...found.keys()])
  const issues = [...paths].map((path) => found.get(path)!)
  summarize(attempted ? issues : [], shown)
  return issues
}

function summarize(issues: readonly Issue[], shown: ReadonlyMap<string, Field>) {
  show(the('summary'), issues.length > 0)
  write(the('summary-heading'), issues.length === 1 ? 'One field to correct' : `${issues.length} fields to correct`)
  const lines = issues.map(({ path, message }) => {
    const field = shown.get(path)
    if (!field) return make('li', '', ...prose(path ? `\`${path}\`: ${message}` : message))
    const link = make('a', '', title(field))
    link.href = `#${field.id}`
    link.addEventListener('click', (event) => {
      // The fragment of the address is used for the token.
      event.preventDefault()
      visit(path)
    })
    return make('li', '', link)
  })
  write(the('summary-list'), ...lines)
}
