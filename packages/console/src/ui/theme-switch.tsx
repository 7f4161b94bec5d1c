import { setTheme, type Theme, theme } from '../preferences.ts'
import { Icon, type IconName } from './icon.tsx'

/** The themes, with their names and icons. */
export const THEMES: readonly (readonly [Theme, string, IconName])[] = [
  ['system', 'System theme', 'screen'],
  ['light', 'Light theme', 'sun'],
  ['dark', 'Dark theme', 'moon'],
]

/** Chooses the theme of the console. */
export function ThemeSwitch() {
  return (
    <fieldset class="switch icons">
      <legend class="off-screen">Theme</legend>
      {THEMES.map(([value, label, icon]) => (
        <button
          key={value}
          type="button"
          aria-pressed={theme.value === value}
          aria-label={label}
          title={label}
          onClick={() => setTheme(value)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </fieldset>
  )
}
