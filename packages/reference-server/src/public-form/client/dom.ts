type Child = Node | string

/** Creates an element with attributes and children. Strings become text nodes, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value)
  created.append(...children)
  return created
}

/** Attributes of elements with an English text; none in an English page. */
export const english: Readonly<Record<string, string>> =
  document.documentElement.lang.startsWith('en') && document.documentElement.dir !== 'rtl'
    ? {}
    : { lang: 'en', dir: 'ltr' }

/** Returns all matching elements as an array. */
export const all = <Type extends Element>(root: ParentNode, selector: string): Type[] => [
  ...root.querySelectorAll<Type>(selector),
]

/** Shows a message in the live region, which screen readers read aloud. */
export function announce(form: HTMLFormElement, ...message: Child[]): void {
  form.querySelector('[data-status]')?.replaceChildren(...message)
}

/** Runs a request of the form, during which it is not submitted. */
export async function busy(form: HTMLFormElement, work: () => Promise<void>): Promise<void> {
  form.setAttribute('data-busy', '')
  await work().finally(() => form.removeAttribute('data-busy'))
}
