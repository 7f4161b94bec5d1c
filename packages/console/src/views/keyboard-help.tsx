import { useLayoutEffect } from 'preact/hooks'
import { act } from '../ui/announcer.tsx'
import { openDialog } from '../ui/dialog.tsx'
import { currentRow } from '../ui/grid.tsx'
import { isSuspended } from '../ui/shortcuts.ts'
import { loadParts } from './lazy-view.tsx'

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

interface Shortcut {
  /** The key as `KeyboardEvent.key` names it, after those that are held. */
  readonly keys: readonly string[]
  readonly text: string
  /** Not of keys that something handles itself. */
  readonly run?: () => void
}

const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['Ctrl', 'K'], text: 'Go to anything by its name or ID, or run a command (⌘\u00a0K on a Mac)' },
  {
    keys: ['/'],
    text: 'Search this view, or add a question in the builder',
    run: () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus(),
  },
  { keys: ['?'], text: 'Show the keyboard shortcuts', run: () => showKeyboardHelp() },
  { keys: ['Esc'], text: 'Close the open item, menu or dialog' },
  { keys: ['j'], text: 'Open the next row', run: step('next') },
  { keys: ['k'], text: 'Open the previous row', run: step('prev') },
  { keys: ['Enter'], text: 'Open the row, or add the next option in the builder' },
  { keys: ['Space'], text: 'Select' },
  { keys: ['r'], text: 'Retry the open delivery now', run: press('r') },
  { keys: ['p'], text: 'Replay the open delivery', run: press('p') },
  { keys: ['Ctrl', 'S'], text: 'Save the form' },
  { keys: ['Ctrl', 'Enter'], text: 'Save and publish the form' },
]

export function showKeyboardHelp(): void {
  void openDialog<undefined>('Keyboard shortcuts', () => (
    <dl class="stack shortcuts">
      {SHORTCUTS.map(({ keys, text }) => (
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
  useLayoutEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    const onKey = (event: KeyboardEvent) => {
      if (isSuspended(event) || event.repeat) return
      const pressed = SHORTCUTS.find(({ keys, run }) => run && keys[0] === event.key)
      if (!pressed) return
      event.preventDefault()
      pressed.run?.()
    }
    const onCommand = (event: KeyboardEvent) => {
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
    addEventListener('keydown', onKey, { signal })
    addEventListener('keydown', onCommand, { capture: true, signal })
    return () => listening.abort()
  }, [])
  return null
}
