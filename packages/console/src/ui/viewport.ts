import { signal } from '@preact/signals'

const narrow = matchMedia('(max-width: 47.99rem)')

/** Whether the window is as narrow as a phone. Rows then have two lines. */
export const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches
})

const readRem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

/** Pixels per rem, so that rows grow with the text size. */
export const rem = signal(readRem())
addEventListener('resize', () => {
  rem.value = readRem()
})
