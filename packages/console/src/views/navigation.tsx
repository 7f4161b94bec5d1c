import { setTheme, THEMES, theme } from '../preferences.ts'
import { link, route } from '../router.ts'
import { signOutEverywhere } from '../session.ts'
import { Button, Icon, Logo } from '../ui/controls.tsx'
import { MenuButton } from '../ui/menu.tsx'
import { Clock } from './clock.tsx'
import { showKeyboardHelp } from './keyboard-help.tsx'
import { VIEWS } from './views.ts'

export function Navigation() {
  const current = route.value.path[0] ?? 'deliveries'
  return (
    <nav aria-label="Views">
      <Button class="button primary skip" run={() => document.querySelector<HTMLElement>('main h1')?.focus()}>
        Skip to content
      </Button>
      <a class="item brand" href={link(['deliveries'])}>
        <Logo />
        Formwire
      </a>
      <ul>
        {VIEWS.map(({ path, text, icon, tally }) => {
          const amount = tally?.()
          return (
            <li key={path}>
              <a class="item" href={link([path])} aria-current={current === path ? 'page' : undefined}>
                <Icon name={icon} />
                {text}
                {amount ? (
                  <span class="caption end regular tally" aria-hidden="true">
                    {amount.toLocaleString('en')}
                  </span>
                ) : null}
              </a>
            </li>
          )
        })}
      </ul>
      <Clock />
      <MenuButton
        label="Settings"
        class="button plain settings"
        items={() => [
          ...THEMES.map(({ value, text, icon }) => ({
            text,
            icon: value === theme.value ? ('check' as const) : icon,
            run: () => setTheme(value),
          })),
          { text: 'Keyboard shortcuts', icon: 'help', run: showKeyboardHelp },
          { text: 'Sign out', icon: 'leave', run: signOutEverywhere },
        ]}
      >
        <Icon name="more" />
        Settings
      </MenuButton>
    </nav>
  )
}
