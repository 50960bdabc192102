// The transactions of a raw transaction: a group of fields for each.

import type { Transaction } from 'sendoff'
import { fill, text, type Field } from './fields.js'
import { the } from './page.js'
import { coinOf, quantity } from './units.js'

const list = the('transactions')
const template = the<HTMLTemplateElement>('transaction')

/** Adds an empty transaction at the end. */
export function addTransaction(): void {
  list.append(template.content.cloneNode(true))
  const group = list.lastElementChild!
  group.querySelector('button')!.addEventListener('click', () => {
    group.remove()
    number()
    list.dispatchEvent(new Event('input', { bubbles: true }))
    the('add-transaction').focus()
  })
  number()
}

/** Replaces the list by these transactions, with values in coins. */
export function fillTransactions(transactions: readonly { [Key in keyof Transaction]: string }[]): void {
  list.replaceChildren()
  for (const [at, transaction] of transactions.entries()) {
    addTransaction()
    for (const [key, value] of Object.entries(transaction)) fill(`details.transactions.${at}.${key}`, value)
  }
}

/** The transactions of the form, with values in wei. */
export function transactions(): { [Key in keyof Transaction]: string }[] {
  const { decimals } = coinOf(text('details.caip2Id'))
  return [...list.children].map((_, at) => {
    const part = (key: keyof Transaction) => text(`details.transactions.${at}.${key}`)
    return { from: part('from'), to: part('to'), data: part('data'), value: quantity(part('value'), decimals) }
  })
}

/** Gives each group its number, and its fields their paths. */
function number() {
  for (const [at, group] of [...list.children].entries()) {
    group.querySelector('legend')!.textContent = `Transaction ${at + 1}`
    group.querySelector('button')!.ariaLabel = `Remove transaction ${at + 1}`
    for (const problem of group.querySelectorAll('.problem')) problem.remove()
    for (const field of group.querySelectorAll<Field>('[data-key]')) {
      field.name = field.id = `details.transactions.${at}.${field.dataset.key}`
      field.parentElement!.querySelector('label')!.htmlFor = field.id
    }
  }
}
