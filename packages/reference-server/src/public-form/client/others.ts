import { all, element } from './dom.ts'

/** Links "Other" to its text field, and adds a button to clear an optional choice. */
export function linkOthers(form: HTMLFormElement): void {
  for (const question of all<HTMLElement>(form, '[data-question]')) {
    linkOther(question)
    addClear(question)
  }
}

function linkOther(question: HTMLElement): void {
  const text = question.querySelector<HTMLInputElement>('[data-other]')
  const choice = question.querySelector<HTMLInputElement>('[data-is-other]')
  if (!text || !choice) return
  text.addEventListener('input', () => {
    if (text.value !== '') choice.checked = true
  })
  question.addEventListener('change', (event) => {
    if (event.target === choice) text.focus()
    // Only one answer is allowed: selecting an option clears the text.
    else if (event.target instanceof HTMLInputElement && event.target.type === 'radio') text.value = ''
  })
}

function addClear(question: HTMLElement): void {
  const radios = all<HTMLInputElement>(question, ':scope > :is(.options, .steps) input[type="radio"]')
  if (radios.length === 0 || question.querySelector('.required')) return
  const clear = element('button', { type: 'button', class: 'clear' }, 'Clear this answer')
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
  question.append(clear)
  update()
}
