// The elements of the page, and new ones for it.

/** An element of the page. */
export function the<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E
}

/** A new element. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (className) element.className = className
  element.append(...content)
  return element
}

/** Rows of a term and its description. */
export function facts(rows: readonly (readonly [term: string, ...content: (Node | string)[]])[]): HTMLElement {
  const list = make('dl', 'facts')
  for (const [term, ...content] of rows) list.append(make('dt', '', term), make('dd', '', ...content))
  return list
}

/** Scrolls to a new element, and focuses it. */
export function lead(element: HTMLElement): void {
  element.focus()
  element.scrollIntoView()
}

/** Replaces content if its text differs, so that a screen reader does not repeat it and the focus stays. */
export function write(element: HTMLElement, ...content: (Node | string)[]): void {
  const fresh = new DocumentFragment()
  fresh.append(...content)
  if (fresh.textContent !== element.textContent) element.replaceChildren(fresh)
}

/** Copies a text and says so, or shows it in this field if the browser does not allow copying. */
export async function copy(text: string, field: HTMLTextAreaElement, said: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    write(said, 'Copied.')
  } catch {
    field.hidden = false
    field.value = text
    field.select()
    write(said, 'Copy the selected text.')
  }
}

/** A new UUID of version 4. `crypto.randomUUID` does not exist in pages over plain HTTP. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
