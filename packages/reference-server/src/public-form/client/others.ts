import { all, element, english } from './dom.ts'

/** Links "Other" to its text field, and adds a button to clear an optional choice. */
export function linkOthers(form: HTMLFormElement): void {
  for (const question of all<HTMLElement>(form, '[data-question]')) {
    linkOther(question)
    addClear(question)
  }
}

/** Selects or deselects "Other": a radio button, a checkbox, or an option of a select list. */
function choose(opener: HTMLInputElement | HTMLOptionElement, isChosen: boolean): void {
  if (opener instanceof HTMLInputElement) opener.checked = isChosen
  else opener.selected = isChosen
}

const isChosen = (opener: HTMLInputElement | HTMLOptionElement): boolean =>
  opener instanceof HTMLInputElement ? opener.checked : opener.selected

function linkOther(question: HTMLElement): void {
  const text = question.querySelector<HTMLInputElement>('[data-other]')
  const opener = question.querySelector<HTMLInputElement | HTMLOptionElement>('[data-is-other]')
  if (!text || !opener) return
  text.addEventListener('input', () => {
    if (text.value !== '') choose(opener, true)
  })
  question.addEventListener('change', ({ target }) => {
    if (target === text) return
    // The field is hidden now, so its text must not be sent.
    if (!isChosen(opener)) text.value = ''
    // Not by keyboard, where the arrow keys only pass over this option.
    else if (target === opener && !opener.matches(':focus-visible')) text.focus()
  })
}

function addClear(question: HTMLElement): void {
  const radios = all<HTMLInputElement>(question, ':scope > :is(.options, .steps, .stars) input[type="radio"]')
  if (radios.length === 0 || question.querySelector('.required')) return
  // In the direction of the page, which decides its place.
  const { dir } = document.documentElement
  const clear = element('button', { type: 'button', class: 'clear', ...english, dir }, 'Clear')
  clear.append(element('span', { class: 'sr-only' }, ' this answer'))
  clear.addEventListener('click', () => {
    for (const radio of radios) radio.checked = false
    for (const text of all<HTMLInputElement>(question, '[data-other]')) text.value = ''
    radios[0]?.focus()
    question.dispatchEvent(new Event('change', { bubbles: true }))
  })
  const update = () => {
    clear.hidden = !radios.some((radio) => radio.checked)
  }
  question.addEventListener('change', update)
  question.addEventListener('input', update)
  // A page restored from the history gets its answers back after this script has run.
  addEventListener('pageshow', update)
  question.querySelector('legend')?.after(clear)
  update()
}
