import { effect, signal } from '@preact/signals'

/** The themes, with their names and icons. */
export const THEMES = [
  { value: 'system', text: 'System theme', icon: 'screen' },
  { value: 'light', text: 'Light theme', icon: 'sun' },
  { value: 'dark', text: 'Dark theme', icon: 'moon' },
] as const

/** `system` follows the setting of the operating system. */
export type Theme = (typeof THEMES)[number]['value']

const KEY = 'formwire.theme'

/** Storage fails where the browser blocks it: the choice then lasts as long as the page. */
function stored(): Theme {
  try {
    const text = localStorage.getItem(KEY)
    return THEMES.find(({ value }) => value === text)?.value ?? 'system'
  } catch {
    return 'system'
  }
}

export const theme = signal(stored())

/** Chooses a theme, also for the next visit. The default is not stored, so that a page without preferences stores nothing. */
export function setTheme(value: Theme): void {
  theme.value = value
  try {
    if (value === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, value)
  } catch {
    // Blocked storage.
  }
}

/** Applies the theme to the page, now and whenever it changes. */
export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value
  })
}
