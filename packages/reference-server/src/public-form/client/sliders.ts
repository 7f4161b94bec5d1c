import { all, element, english } from './dom.ts'

/** Adds a slider to each number field that has one. Only the field is submitted, so the question can be skipped. */
export function addSliders(form: HTMLFormElement): void {
  for (const box of all<HTMLElement>(form, '[data-slider]')) {
    const field = box.querySelector('input')
    if (field) addSlider(form, box, field)
  }
}

function addSlider(form: HTMLFormElement, box: HTMLElement, field: HTMLInputElement): void {
  const { min = '1', max = '10', step = '1' } = box.dataset
  const slider = element('input', { type: 'range', min, max, step, 'aria-labelledby': labelId(form, field) })
  const clear = element('button', { type: 'button', class: 'clear', ...english }, 'Clear')
  clear.append(element('span', { class: 'sr-only' }, ' this answer'))
  field.placeholder = '–'
  slider.value = String((Number(min) + Number(max)) / 2)

  const follow = () => {
    const text = field.value.trim()
    const isUnset = text === ''
    if (!isUnset && Number.isFinite(Number(text))) slider.value = text
    slider.classList.toggle('unset', isUnset)
    if (isUnset) slider.setAttribute('aria-valuetext', 'Not answered')
    else slider.removeAttribute('aria-valuetext')
    const filled = (Number(slider.value) - Number(min)) / (Number(max) - Number(min))
    slider.style.setProperty('--filled', isUnset ? '0%' : `${filled * 100}%`)
    clear.hidden = isUnset
  }
  const answer = (text: string) => {
    field.value = text
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  slider.addEventListener('input', () => answer(slider.value))
  // A click on the current position of the thumb fires no input event but is an answer.
  slider.addEventListener('pointerup', () => {
    if (field.value === '') answer(slider.value)
  })
  clear.addEventListener('click', () => {
    answer('')
    field.focus()
  })
  field.addEventListener('input', follow)
  addEventListener('pageshow', follow)
  follow()
  const bound = (text: string) => element('span', { class: 'bound', 'aria-hidden': 'true' }, text)
  box.prepend(element('div', { class: 'track' }, bound(min), slider, bound(max)))
  box.after(clear)
}

function labelId(form: HTMLFormElement, field: HTMLInputElement): string {
  const label = form.querySelector(`label[for="${CSS.escape(field.id)}"]`)
  const id = `${field.id}-label`
  label?.setAttribute('id', id)
  return id
}
