// Public deployments to choose from, from the package's data.

import { deployments } from 'sendoff/deployments'
import { make, the } from './page.js'

/** Fills in the known data of the chosen deployment. */
export function followPresets(fill: (fields: { readonly [key: string]: string }) => void): void {
  const select = the<HTMLSelectElement>('preset')
  select.append(...Object.keys(deployments).map((name) => make('option', '', name)))
  select.addEventListener('change', () => {
    const chosen = Object.entries(deployments).find(([name]) => name === select.value)?.[1]
    if (chosen) fill(Object.fromEntries(Object.entries(chosen).map(([key, value]) => [key, String(value)])))
  })
}
