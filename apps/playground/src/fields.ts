// The fields of the form. The name of a field is the path of its value, so that a problem's path leads to its field.

import { make, prose, the } from './page.js'

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const form = the<HTMLFormElement>('form')

/** The fields that belong to the intent's type, by path. */
export function fields(): Map<string, Field> {
  const named = [...form.elements].filter((element): element is Field => 'name' in element && element.name !== '')
  return new Map(named.filter((field) => !field.closest('[hidden]')).map((field) => [field.name, field]))
}

/** The text of a field, without the white space that pasting adds. */
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

/** The label of a field. */
export function title(field: Field): string {
  const group = field.closest('fieldset')?.querySelector('legend')?.textContent
  const label = field.labels?.[0]?.textContent ?? field.name
  return group ? `${group}, ${label}` : label
}

/** Shows a problem at its field, or removes it. */
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

/** Focuses a field, and expands the section that contains it. */
export function visit(path: string): void {
  const field = fields().get(path)
  const folded = field?.closest('details')
  if (folded) folded.open = true
  field?.focus()
}
