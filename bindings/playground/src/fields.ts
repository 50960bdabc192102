// The fields of the form. A field's name is the path of what it holds, so a problem finds its field by its path.

import { make, prose, the } from './page.js'

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const form = the<HTMLFormElement>('form')

/** The fields that belong to the intent's type, by path. */
export function fields(): Map<string, Field> {
  const named = [...form.elements].filter((element): element is Field => 'name' in element && element.name !== '')
  return new Map(named.filter((field) => !field.closest('[hidden]')).map((field) => [field.name, field]))
}

/** Returns the text of a field, without the space around pasted text. */
export function text(path: string): string {
  return field(path).value.trim()
}

/** Fills a field. */
export function fill(path: string, value: string): void {
  field(path).value = value
}

function field(path: string) {
  return form.elements.namedItem(path) as Field
}

/** What a field is called. */
export function title(field: Field): string {
  const group = field.closest('fieldset')?.querySelector('legend')?.textContent
  const label = field.labels?.[0]?.textContent ?? field.name
  return group ? `${group}, ${label}` : label
}

/** Shows a problem at its field, or takes it away. */
export function mark(field: Field, problem: string | undefined): void {
  const ids = { hint: `${field.name}-hint`, problem: `${field.name}-problem` }
  const place = document.getElementById(ids.problem)
  if (!problem) place?.remove()
  else if (place) place.replaceChildren(...prose(problem))
  else field.after(Object.assign(make('p', 'problem', ...prose(problem)), { id: ids.problem }))

  const describing = Object.values(ids).filter((id) => document.getElementById(id))
  field.setAttribute('aria-invalid', `${Boolean(problem)}`)
  field.setAttribute('aria-describedby', describing.join(' '))
}

/** Goes to a field, wherever it is folded away. */
export function visit(path: string): void {
  const field = fields().get(path)
  const folded = field?.closest('details')
  if (folded) folded.open = true
  field?.focus()
}
