import { signal } from '@preact/signals'

const narrow = matchMedia('(max-width: 47.99rem)')

/** Whether the window is as wide as a phone: rows then take two lines. */
export const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches
})

const readRem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

/** Pixels of one rem: rows grow with the reader's text size. */
export const rem = signal(readRem())
addEventListener('resize', () => {
  rem.value = readRem()
})
