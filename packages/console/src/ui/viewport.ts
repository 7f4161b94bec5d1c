import { signal } from '@preact/signals'

const readRem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

/** Pixels per rem, so that rows grow with the text size. */
export const rem = signal(readRem())
addEventListener('resize', () => {
  rem.value = readRem()
})
