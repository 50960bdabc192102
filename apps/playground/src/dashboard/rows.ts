// Rows and buttons of the dashboard.

import { make } from '../page.js'

/** A row: what it is about, a hint, and its buttons. */
export function row(what: readonly (Node | string)[], hint: string, buttons: readonly HTMLElement[] = []): HTMLElement {
  const about = make('div', '', make('p', '', ...what), make('p', 'hint', hint))
  return make('li', '', about, ...(buttons.length ? [make('div', 'buttons', ...buttons)] : []))
}

/** A button. Its label is longer where several have the same text. */
export function button(text: string, press: () => void, label = text): HTMLButtonElement {
  const made = Object.assign(make('button', '', text), { type: 'button', ariaLabel: label })
  made.addEventListener('click', press)
  return made
}

export const time = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 16)
