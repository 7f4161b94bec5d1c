/** @jsxImportSource preact */
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { announce } from './announcer.tsx'
import { Command, Copy } from './copy.tsx'
import { holdPage, releasePage } from './unkept.ts'

interface Shown {
  readonly title: string
  readonly body: ComponentChildren
  /** Takes it away unanswered. */
  readonly dismiss: () => void
}

/** A dialog as its own content sees it. */
export interface Dialog<Answer> {
  /** Ends it with an answer. */
  settle(answer?: Answer): void
  /** Whether the reader still sees it. */
  isOpen(): boolean
  /**
   * While the server is asked, dismissing only hides the dialog: what was asked for still happens, and how it ended is
   * what `openDialog` gives.
   */
  hold(isHeld: boolean): void
}

const shown = signal<Shown | undefined>(undefined)

/**
 * Shows a dialog until it is settled, or dismissed (Escape, another view, another dialog), which gives `undefined`.
 */
export function openDialog<Answer>(
  title: string,
  body: (dialog: Dialog<Answer>) => ComponentChildren,
): Promise<Answer | undefined> {
  dismissDialog()
  return new Promise((resolve) => {
    let isHeld = false
    const isOpen = () => shown.peek() === own
    const hide = () => {
      if (isOpen()) shown.value = undefined
    }
    const settle = (answer?: Answer) => {
      hide()
      resolve(answer)
    }
    const dialog: Dialog<Answer> = {
      settle,
      isOpen,
      hold: (held) => {
        isHeld = held
      },
    }
    const own: Shown = {
      title,
      body: body(dialog),
      dismiss: () => {
        hide()
        if (!isHeld) resolve(undefined)
      },
    }
    shown.value = own
  })
}

/** Asks before something that cannot be undone. */
export async function confirmed(options: {
  title: string
  text: ComponentChildren
  action: string
}): Promise<boolean> {
  const answer = await openDialog<boolean>(options.title, ({ settle }) => (
    <>
      <p>{options.text}</p>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={() => settle(false)}>
          Cancel
        </button>
        <button type="button" class="button danger" onClick={() => settle(true)}>
          {options.action}
        </button>
      </div>
    </>
  ))
  return answer === true
}

/**
 * Shows a key or a secret, which the server will not tell again. Closed in any way but by saying that it was kept, it
 * can be shown again: a slip of the hand must not cost it.
 */
export async function revealOnce(options: {
  title: string
  /** `key` or `secret`. */
  kind: string
  value: string
  hint: string
  command: string
}): Promise<void> {
  holdPage(options)
  const kept = await openDialog<true>(options.title, ({ settle }) => (
    <>
      <p>
        <strong>Shown once.</strong> {options.hint}
      </p>
      <div class="revealed">
        <code data-testid="revealed">{options.value}</code>
        <Copy text={options.value} what={`the ${options.kind}`} />
      </div>
      <Command text={options.command} />
      <div class="dialog-actions">
        <button type="button" class="button primary" onClick={() => settle(true)}>
          I have kept it
        </button>
      </div>
    </>
  ))
  if (kept) {
    releasePage(options)
    return
  }
  announce(`The ${options.kind} was closed before you said that you kept it.`, 'warning', {
    text: 'Show it again',
    run: () => void revealOnce(options),
    waive: () => releasePage(options),
  })
}

/** Takes the dialog away unanswered: what it was about is gone, such as when the token was refused meanwhile. */
export function dismissDialog(): void {
  shown.peek()?.dismiss()
}

/** The one dialog of the page. The native element traps the focus and gives it back. */
export function DialogHost() {
  const element = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element | null>(null)
  const current = shown.value
  // A dialog belongs to the view that it was opened in: Back closes it with the view.
  useEffect(() => {
    addEventListener('hashchange', dismissDialog)
    return () => removeEventListener('hashchange', dismissDialog)
  }, [])
  useLayoutEffect(() => {
    if (!current) return
    opener.current = document.activeElement
    element.current?.showModal()
    return () => {
      element.current?.close()
      // What opened it may be gone with the thing that was deleted: then the view's heading takes the focus, or the token prompt.
      const back = opener.current?.isConnected
        ? opener.current
        : document.querySelector('main h1[tabindex], .prompt input')
      if (back instanceof HTMLElement) back.focus()
    }
  }, [current])
  if (!current) return null
  return (
    <dialog
      ref={element}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault()
        current.dismiss()
      }}
    >
      <h2 id="dialog-title">{current.title}</h2>
      {current.body}
      <button
        type="button"
        class="button plain small dialog-close"
        aria-label="Close"
        onClick={() => current.dismiss()}
      >
        ×
      </button>
    </dialog>
  )
}
