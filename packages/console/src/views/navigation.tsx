import { setTheme, THEMES, theme } from '../preferences.ts'
import { link, route } from '../router.ts'
import { signOutEverywhere } from '../session.ts'
import { forgetSecrets } from '../state/secrets.ts'
import { dismissNotices } from '../ui/announcer.tsx'
import { Button, Icon, Switch } from '../ui/controls.tsx'
import { ClockChip } from './clock-bar.tsx'
import { showKeyboardHelp } from './keyboard-help.tsx'
import { VIEWS } from './views.ts'

/** Removes what must not be seen after signing out: secrets and notices. */
export function forgetShown(): void {
  forgetSecrets()
  dismissNotices()
}

function leave(): void {
  signOutEverywhere()
  forgetShown()
}

/** The first tab stop of the page. */
function SkipLink() {
  return (
    <Button class="skip" run={() => document.querySelector<HTMLElement>('main h1')?.focus()}>
      Skip to content
    </Button>
  )
}

export function Navigation() {
  const current = route.value.path[0] ?? 'deliveries'
  return (
    <nav aria-label="Views">
      <SkipLink />
      <a class="item brand" href={link(['deliveries'])}>
        <img src="console/icon.svg" alt="" width="24" height="24" />
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
      <div class="row nav-foot">
        <ClockChip />
        <Switch legend="Theme" value={theme.value} options={THEMES} choose={setTheme} />
        <Button
          class="button plain small icon-only"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          run={showKeyboardHelp}
        >
          <Icon name="help" />
        </Button>
        <Button class="button plain small" run={leave}>
          <Icon name="leave" />
          Sign out
        </Button>
      </div>
    </nav>
  )
}
