// The elements of the page, and new ones for it.

/** An element of index.html. */
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

/** A sentence whose parts in backticks are code. */
export function prose(sentence: string): (Node | string)[] {
  return sentence.split('`').map((part, at) => (at % 2 ? (part ? make('code', '', part) : 'nothing') : part))
}

/** Shows or hides an element. */
export function show(element: HTMLElement, shown: boolean): void {
  element.hidden = !shown
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
