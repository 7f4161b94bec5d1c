/** @jsxImportSource preact */
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Command, Copy } from './copy.tsx'

interface Shown {
  readonly title: string
  readonly body: ComponentChildren
  /** Ends the dialog; `undefined` when it was dismissed. */
  readonly settle: (answer: unknown) => void
}

const shown = signal<Shown | undefined>(undefined)

/** Shows a dialog until `settle` is called or it is dismissed (Escape), which gives `undefined`. */
export function openDialog<Answer>(
  title: string,
  body: (settle: (answer?: Answer) => void) => ComponentChildren,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const settle = (answer?: unknown) => {
      shown.value = undefined
      resolve(answer as Answer | undefined)
    }
    shown.value = { title, body: body(settle), settle }
  })
}

/** Asks before something that cannot be undone. */
export async function confirmed(options: {
  title: string
  text: ComponentChildren
  action: string
}): Promise<boolean> {
  const answer = await openDialog<boolean>(options.title, (settle) => (
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

/** Shows a key or a secret, which the server will not tell again. */
export async function revealOnce(options: {
  title: string
  /** `key` or `secret`. */
  kind: string
  value: string
  hint: string
  command: string
}): Promise<void> {
  await openDialog<true>(options.title, (settle) => (
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
}

/** Takes the dialog away unanswered: what it was about is gone, such as when the token was refused meanwhile. */
export function dismissDialog(): void {
  shown.peek()?.settle(undefined)
}

/** The one dialog of the page. The native element traps the focus and gives it back. */
export function DialogHost() {
  const element = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element | null>(null)
  const current = shown.value
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
        current.settle(undefined)
      }}
    >
      <h2 id="dialog-title">{current.title}</h2>
      {current.body}
      <button
        type="button"
        class="button plain small dialog-close"
        aria-label="Close"
        onClick={() => current.settle(undefined)}
      >
        ×
      </button>
    </dialog>
  )
}
