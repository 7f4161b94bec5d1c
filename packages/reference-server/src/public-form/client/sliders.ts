import { all, element } from './dom.ts'

/** Adds a slider to each number field that has one. Only the field is submitted, so the question can be skipped. */
export function addSliders(form: HTMLFormElement): void {
  for (const box of all<HTMLElement>(form, '[data-slider]')) {
    const field = box.querySelector('input')
    const { min = '1', max = '10', step = '1' } = box.dataset
    if (!field) continue
    const slider = element('input', {
      type: 'range',
      min,
      max,
      step,
      'aria-labelledby': labelId(form, field),
    })
    slider.value = String((Number(min) + Number(max)) / 2)
    const follow = () => {
      const typed = Number(field.value)
      slider.classList.toggle('untouched', field.value.trim() === '')
      if (field.value.trim() !== '' && Number.isFinite(typed)) slider.value = String(typed)
    }
    slider.addEventListener('input', () => {
      field.value = slider.value
      slider.classList.remove('untouched')
    })
    // A click on the current position of the thumb fires no input event but is an answer.
    slider.addEventListener('pointerup', () => {
      if (field.value !== '') return
      field.value = slider.value
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
    field.addEventListener('input', follow)
    follow()
    box.prepend(slider)
  }
}

function labelId(form: HTMLFormElement, field: HTMLInputElement): string {
  const label = form.querySelector(`label[for="${CSS.escape(field.id)}"]`)
  const id = `${field.id}-label`
  label?.setAttribute('id', id)
  return id
}
