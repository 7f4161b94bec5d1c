import { useEffect } from 'preact/hooks'
import { go, link } from '../router.ts'
import { act } from '../ui/announcer.tsx'
import { openDialog } from '../ui/dialog.tsx'
import { listenToShortcuts, type Shortcut } from '../ui/shortcuts.ts'
import { currentRow } from '../ui/virtual-grid.tsx'
import { VIEWS } from './views.ts'

/** Opens the row above or below the open one, or the current row if none is open. */
const step = (rel: 'prev' | 'next') => () => {
  const row = document.querySelector('.pane')
    ? document.querySelector<HTMLElement>(`.pane a[rel=${rel}]`)
    : currentRow()
  row?.click()
}

const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['?'], text: 'Show the keyboard shortcuts', run: () => showKeyboardHelp() },
  {
    keys: ['/'],
    text: 'Search this view (↓ goes to the results, Esc clears the box, then leaves it)',
    run: () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus(),
  },
  { keys: ['j'], text: 'Open the next row', run: step('next') },
  { keys: ['k'], text: 'Open the previous row', run: step('prev') },
  ...VIEWS.map(({ path, text }) => ({
    keys: ['g', path.slice(0, 1)],
    text: `Go to ${text}`,
    run: () => go(link([path])),
  })),
]

/** Keys that the lists, the open item and the palette handle themselves. */
const OTHERS: readonly (readonly [keys: readonly string[], text: string])[] = [
  [['Ctrl', 'K'], 'Go to any view, form, endpoint or delivery, or run a command (⌘\u00a0K on a Mac)'],
  [['↑', '↓'], 'Move between the rows of a list'],
  [['Page Up', 'Page Down'], 'Move by one page'],
  [['Home', 'End'], 'Move to the first or last row'],
  [['Enter'], 'Open the row'],
  [['Space'], 'Select the delivery, with Shift all from the last one'],
  [['Enter'], 'In the builder: add the next option or question (/ does where no text is typed)'],
  [['Alt', '↑', '↓'], 'In the builder: move the question or option'],
  [['Esc'], 'Close the open item, menu or dialog'],
  [['←', '→'], 'Resize the open item, on its left edge'],
]

/** Shows all keyboard shortcuts. */
export function showKeyboardHelp(): void {
  const rows = [...SHORTCUTS.map(({ keys, text }) => [keys, text] as const), ...OTHERS]
  void openDialog<undefined>('Keyboard shortcuts', () => (
    <dl class="stack shortcuts">
      {rows.map(([keys, text]) => (
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
  ))
}

/** Handles the shortcuts of the whole console while it is shown. */
export function Shortcuts() {
  useEffect(() => listenToShortcuts(() => SHORTCUTS), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!isShortcut || event.altKey || event.shiftKey) return
      event.preventDefault()
      // A dialog may show a secret that is not saved yet.
      if (!document.querySelector('dialog[open]'))
        void act(async () => (await import('./lazy-parts.ts')).openPalette())
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return null
}
