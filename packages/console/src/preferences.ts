import { effect, signal } from '@preact/signals'

/**
 * Returns a choice that is kept for the next visit, and what sets it. Storage fails where the browser blocks it: the choice then
 * lasts as long as the page. The default is not stored, so that a page without preferences stores nothing.
 *
 * @param read Returns the value of a stored text, `undefined` if that is unreadable.
 */
function kept<Value>(key: string, usual: Value, read: (text: string) => Value | undefined) {
  const stored = (): Value => {
    try {
      return read(localStorage.getItem(key) ?? '') ?? usual
    } catch {
      return usual
    }
  }
  const choice = signal(stored())
  const choose = (value: Value): void => {
    choice.value = value
    try {
      if (value === usual) localStorage.removeItem(key)
      else localStorage.setItem(key, String(value))
    } catch {
      // Blocked storage.
    }
  }
  return [choice, choose] as const
}

/** The themes, with their names and icons. */
export const THEMES = [
  { value: 'system', text: 'System theme', icon: 'screen' },
  { value: 'light', text: 'Light theme', icon: 'sun' },
  { value: 'dark', text: 'Dark theme', icon: 'moon' },
] as const

/** `system` follows the setting of the operating system. */
export type Theme = (typeof THEMES)[number]['value']

export const [theme, setTheme] = kept<Theme>(
  'formwire.theme',
  'system',
  (text) => THEMES.find(({ value }) => value === text)?.value,
)

/** Width of the open item, in percent of the view. */
export const PANE = { least: 30, usual: 48, most: 80 } as const
export const [paneShare, setPaneShare] = kept<number>(
  'formwire.pane',
  PANE.usual,
  (text) => Number(text) || undefined,
)

/** Applies the theme to the page, now and whenever it changes. */
export function applyTheme(): void {
  const darkSystem = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const isDark = theme.value === 'dark' || (theme.value === 'system' && darkSystem.matches)
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  }
  effect(apply)
  darkSystem.addEventListener('change', apply)
}
