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

/** Shows or clears the error of a question. Returns the element to focus. */
export function showError(
  form: HTMLFormElement,
  questionId: string,
  message: string | undefined,
): HTMLElement | null {
  const question = form.querySelector<HTMLElement>(`[data-question="${CSS.escape(questionId)}"]`)
  const line = question?.querySelector<HTMLElement>('[data-error-line]')
  if (!question || !line) return null
  line.replaceChildren(
    ...(message === undefined ? [] : [element('span', { class: 'sr-only' }, 'Error: '), message]),
  )
  const target = question.matches('fieldset')
    ? question
    : question.querySelector<HTMLElement>(`[id="${line.id.replace(/-error$/, '')}"]`)
  const described = new Set((target?.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean))
  if (message === undefined) described.delete(line.id)
  else described.add(line.id)
  if (described.size > 0) target?.setAttribute('aria-describedby', [...described].join(' '))
  else target?.removeAttribute('aria-describedby')
  if (!question.matches('fieldset')) {
    if (message === undefined) target?.removeAttribute('aria-invalid')
    else target?.setAttribute('aria-invalid', 'true')
  }
  return target
}
