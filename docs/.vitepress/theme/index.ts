/// <reference types="vitepress/client" />
import theme from 'vitepress/theme-without-fonts'
import './fonts.css'
import './style.css'
import './home.css'
import './reference.css'

/** Shows the language that a reader has chosen in every box of the page, without moving what is read. */
function chooseEverywhere({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || !target.closest('.vp-code-group')) return
  const top = target.getBoundingClientRect().top
  const title = (target.nextElementSibling as HTMLElement | null)?.dataset.title ?? ''
  for (const label of document.querySelectorAll<HTMLElement>('.vp-code-group label')) {
    const input = label.previousElementSibling as HTMLInputElement
    if (label.dataset.title === title && !input.checked) input.click()
  }
  window.scrollBy(0, target.getBoundingClientRect().top - top)
}

export default {
  extends: theme,
  enhanceApp() {
    if (!import.meta.env.SSR) document.addEventListener('change', chooseEverywhere)
  },
}
