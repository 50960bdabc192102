// A link that restores the state of the page. The state is in the fragment, which a browser does not send to a server.

/** The fields of the form by their names, and what was done to the reply. */
export interface State {
  readonly fields: { readonly [name: string]: string }
  /** The number of transactions of a raw transaction. */
  readonly transactions: number
  /** The name of the attack that changed the reply. */
  readonly attack?: string
  /** The text of a reply that was changed by hand. */
  readonly reply?: string
}

/** The fragment of a state. */
export function fragmentOf(state: State): string {
  const bytes = new TextEncoder().encode(JSON.stringify(state))
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return `state=${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
}

/** Reads the state of a fragment; `undefined` for any other text. */
export function stateOf(fragment: string): State | undefined {
  const text = new URLSearchParams(fragment).get('state')
  if (text === null) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    const { fields, transactions, attack, reply } = JSON.parse(new TextDecoder().decode(bytes))
    const isText = (value: unknown) => value === undefined || typeof value === 'string'
    const isState = typeof fields === 'object' && fields !== null && Object.values(fields).every((value) => typeof value === 'string')
    if (!isState || !isText(attack) || !isText(reply) || !(transactions >= 0 && transactions <= 100)) return undefined
    return { fields, transactions, ...(attack !== undefined && { attack }), ...(reply !== undefined && { reply }) }
  } catch {
    return undefined
  }
}
