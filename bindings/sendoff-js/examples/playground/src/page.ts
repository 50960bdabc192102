// The elements of the page, and new ones for it.

/** An element that stands in index.html. */
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

/** Shows an element, or takes it away. */
export function show(element: HTMLElement, shown: boolean): void {
  element.hidden = !shown
}

/** Writes text where it is another: what a screen reader follows is not written anew. */
export function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
