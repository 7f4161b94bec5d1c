import { computed, effect, signal } from '@preact/signals'

const THEME_KEY = 'formwire.theme'

/** The themes, with their names and icons. */
export const THEMES = [
  { value: 'system', text: 'System theme', icon: 'screen' },
  { value: 'light', text: 'Light theme', icon: 'sun' },
  { value: 'dark', text: 'Dark theme', icon: 'moon' },
] as const

/** `system` follows the setting of the operating system. */
export type Theme = (typeof THEMES)[number]['value']

/** Storage fails where the browser blocks it. The preference then lasts as long as the page. */
function stored(): Theme {
  try {
    const known = localStorage.getItem(THEME_KEY)
    return THEMES.find(({ value }) => value === known)?.value ?? 'system'
  } catch {
    return 'system'
  }
}

/** The chosen theme, kept for the next visit. */
export const theme = signal<Theme>(stored())

const darkSystem = matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = signal(darkSystem.matches)
darkSystem.addEventListener('change', ({ matches }) => {
  systemIsDark.value = matches
})

const isDark = computed(() => theme.value === 'dark' || (theme.value === 'system' && systemIsDark.value))

export function setTheme(chosen: Theme): void {
  theme.value = chosen
  try {
    // The default is not stored: a page without preferences stores nothing.
    if (chosen === 'system') localStorage.removeItem(THEME_KEY)
    else localStorage.setItem(THEME_KEY, chosen)
  } catch {
    // Blocked storage.
  }
}

/** Applies the theme to the page, now and whenever it changes. */
export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light'
  })
}
