import { computed, effect, signal } from '@preact/signals'

const THEME_KEY = 'formwire.theme'
const PANE_KEY = 'formwire.pane'

/** Storage fails where the browser blocks it. A preference then lasts as long as the page. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** @param value `undefined` for the default, which is not stored: a page without preferences stores nothing. */
function keep(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Blocked storage.
  }
}

/** The themes, with their names and icons. */
export const THEMES = [
  { value: 'system', text: 'System theme', icon: 'screen' },
  { value: 'light', text: 'Light theme', icon: 'sun' },
  { value: 'dark', text: 'Dark theme', icon: 'moon' },
] as const

/** `system` follows the setting of the operating system. */
export type Theme = (typeof THEMES)[number]['value']

/** The chosen theme, kept for the next visit. */
export const theme = signal<Theme>(THEMES.find(({ value }) => value === read(THEME_KEY))?.value ?? 'system')

const darkSystem = matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = signal(darkSystem.matches)
darkSystem.addEventListener('change', ({ matches }) => {
  systemIsDark.value = matches
})

const isDark = computed(() => theme.value === 'dark' || (theme.value === 'system' && systemIsDark.value))

export function setTheme(chosen: Theme): void {
  theme.value = chosen
  keep(THEME_KEY, chosen === 'system' ? undefined : chosen)
}

/** Width of the open item, in percent of the view. */
export const PANE = { least: 30, usual: 48, most: 80 } as const

const limited = (share: number): number =>
  Math.round(Math.min(PANE.most, Math.max(PANE.least, share)) * 10) / 10

/** The chosen width of the open item, kept for the next visit. */
export const paneShare = signal(limited(Number(read(PANE_KEY)) || PANE.usual))

export function setPaneShare(share: number): void {
  paneShare.value = limited(share)
  keep(PANE_KEY, paneShare.value === PANE.usual ? undefined : String(paneShare.value))
}

/** Applies the theme to the page, now and whenever it changes. */
export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light'
  })
}
