import { useLayoutEffect } from 'preact/hooks'
import { go, link } from '../router.ts'
import { act } from '../ui/announcer.tsx'
import { openDialog } from '../ui/dialog.tsx'
import { listenToShortcuts, type Shortcut } from '../ui/shortcuts.ts'
import { currentRow } from '../ui/virtual-grid.tsx'
import { loadParts } from './lazy-view.tsx'
import { VIEWS } from './views.ts'

/** Opens the row above or below the open one, or the current row if none is open. */
const step = (rel: 'prev' | 'next') => () => {
  const row = document.querySelector('.pane')
    ? document.querySelector<HTMLElement>(`.pane a[rel=${rel}]`)
    : currentRow()
  row?.click()
}

/** Presses the button of the open item that names this key, such as Replay. */
const press = (key: string) => () =>
  document.querySelector<HTMLElement>(`.pane [aria-keyshortcuts=${key}]`)?.click()

/** Those without `run` are keys that something handles itself. */
const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['Ctrl', 'K'], text: 'Go to anything by its name or ID, or run a command (⌘\u00a0K on a Mac)' },
  {
    keys: ['/'],
    text: 'Search this view (↓ goes to the results, Esc clears the box, then leaves it)',
    run: () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus(),
  },
  { keys: ['?'], text: 'Show the keyboard shortcuts', run: () => showKeyboardHelp() },
  { keys: ['Esc'], text: 'Close the open item, menu or dialog' },
  ...VIEWS.map(({ path, text }) => ({
    group: 'Views',
    keys: ['g', path.slice(0, 1)],
    text: `Go to ${text}`,
    run: () => go(link([path])),
  })),
  { group: 'Lists', keys: ['j'], text: 'Open the next row', run: step('next') },
  { group: 'Lists', keys: ['k'], text: 'Open the previous row', run: step('prev') },
  { group: 'Lists', keys: ['↑', '↓'], text: 'Move between the rows' },
  { group: 'Lists', keys: ['Page Up', 'Page Down'], text: 'Move by one page' },
  { group: 'Lists', keys: ['Home', 'End'], text: 'Move to the first or last row' },
  { group: 'Lists', keys: ['Enter'], text: 'Open the row' },
  { group: 'Lists', keys: ['Space'], text: 'Select the delivery, with Shift all from the last one' },
  { group: 'Open delivery or request', keys: ['r'], text: 'Retry the delivery now', run: press('r') },
  { group: 'Open delivery or request', keys: ['p'], text: 'Replay', run: press('p') },
  { group: 'Open delivery or request', keys: ['c'], text: 'Copy as a command', run: press('c') },
  { group: 'Open delivery or request', keys: ['←', '→'], text: 'Resize the open item, on its left edge' },
  { group: 'Builder', keys: ['Enter'], text: 'Add the next option or question (or / outside a field)' },
  { group: 'Builder', keys: ['↑', '↓'], text: 'Go to the previous or next option' },
  { group: 'Builder', keys: ['Alt', '↑', '↓'], text: 'Move the question or option' },
  { group: 'Builder', keys: ['Ctrl', 'S'], text: 'Save' },
  { group: 'Builder', keys: ['Ctrl', 'Enter'], text: 'Save and publish' },
  { group: 'Manual clock', keys: ['←', '→'], text: 'Move the handle to the next pending attempt or step' },
  { group: 'Manual clock', keys: ['Enter'], text: 'Advance to the handle' },
]

export function showKeyboardHelp(): void {
  const groups = new Set(SHORTCUTS.map(({ group }) => group))
  void openDialog<undefined>('Keyboard shortcuts', () => (
    <div class="shortcuts">
      {Array.from(groups, (title) => (
        <section key={title}>
          <h3>{title ?? 'Everywhere'}</h3>
          <dl class="stack">
            {SHORTCUTS.filter(({ group }) => group === title).map(({ keys, text }) => (
              <div key={text}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  ))
}

/** Handles the shortcuts of the whole console while it is shown. */
export function Shortcuts() {
  useLayoutEffect(() => listenToShortcuts(() => SHORTCUTS), [])
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      const keys = `Control+${CSS.escape(event.key)}`
      const button = document.querySelector<HTMLElement>(`main [aria-keyshortcuts="${keys}" i]`)
      if (!button && event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      event.stopPropagation()
      // A dialog may show a secret that is not saved yet.
      if (document.querySelector('dialog[open]')) return
      if (button) button.click()
      else void act(async () => (await loadParts()).openPalette())
    }
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [])
  return null
}
