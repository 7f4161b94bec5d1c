import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { refused, token } from '../session.ts'
import { announce } from './announcer.tsx'
import { Button, Icon } from './controls.tsx'
import { Copy } from './copy.tsx'
import { holdPage, releasePage } from './unsaved.ts'

interface OpenDialog {
  readonly title: string
  readonly body: ComponentChildren
  readonly dismiss: () => void
}

/** What the content of a dialog can do with it. */
export interface Dialog<Result> {
  /** Closes the dialog with a result. */
  settle(result?: Result): void
  /** Returns whether the dialog is still visible. */
  isOpen(): boolean
  /**
   * Set while a request is in flight: dismissing then only hides the dialog, and `openDialog` still resolves with the result
   * of the request.
   */
  hold(isHeld: boolean): void
}

const shown = signal<OpenDialog | undefined>(undefined)

/** Where the pointer was pressed last. */
let pressed = { clientX: -1, clientY: -1 }

/** Moves a dialog that would have a button that destroys something where the pointer has just clicked: it may click again. */
function clearOfPointer(dialog: HTMLElement): void {
  dialog.style.translate = ''
  const button = dialog.querySelector('.danger')?.getBoundingClientRect()
  const { clientX: x, clientY: y } = pressed
  if (button && x >= button.left && x <= button.right && y >= button.top && y <= button.bottom)
    dialog.style.translate = `0 ${2 * button.height}px`
}

/**
 * Shows a dialog until it is settled. Resolves with `undefined` if it is dismissed by Escape, another view or another dialog.
 */
export function openDialog<Result>(
  title: string,
  body: (dialog: Dialog<Result>) => ComponentChildren,
): Promise<Result | undefined> {
  dismissDialog()
  return new Promise((resolve) => {
    let isHeld = false
    const isOpen = () => shown.peek() === own
    const hide = () => {
      if (isOpen()) shown.value = undefined
    }
    const settle = (result?: Result) => {
      hide()
      resolve(result)
    }
    const hold = (held: boolean) => {
      isHeld = held
    }
    const own: OpenDialog = {
      title,
      body: body({ settle, isOpen, hold }),
      dismiss: () => {
        hide()
        if (!isHeld) resolve(undefined)
      },
    }
    shown.value = own
  })
}

/**
 * Asks for confirmation.
 *
 * @param options.isDangerous Whether it cannot be undone. @default true
 * @param options.dismiss Label of the other button. @default 'Cancel'
 */
export async function confirmed(options: {
  title: string
  text: ComponentChildren
  action: string
  isDangerous?: boolean
  dismiss?: string
}): Promise<boolean> {
  const isConfirmed = await openDialog<boolean>(options.title, ({ settle }) => (
    <>
      <p>{options.text}</p>
      <div class="row right">
        <Button run={() => settle(false)}>{options.dismiss ?? 'Cancel'}</Button>
        <Button
          class={`button ${options.isDangerous === false ? 'primary' : 'danger'}`}
          run={() => settle(true)}
        >
          {options.action}
        </Button>
      </div>
    </>
  ))
  return isConfirmed === true
}

/**
 * Shows a key or secret that the server does not show again. If the dialog is closed without confirming that it was saved, a
 * notice offers to show it again.
 */
export async function revealOnce(options: {
  title: string
  /** `key` or `secret`. */
  kind: string
  /** Whose it is, for the notice: `of endpoint #3`. */
  owner: string
  value: string
  hint: string
}): Promise<void> {
  holdPage(options)
  const isSaved = await openDialog<true>(options.title, ({ settle }) => (
    <>
      <p>
        <strong>Shown once.</strong> {options.hint}
      </p>
      <div class="bar between note good revealed">
        <code class="wrap" data-testid="revealed">
          {options.value}
        </code>
        <Copy text={options.value} what={`the ${options.kind}`} />
      </div>
      <div class="row right">
        <Button class="button primary" run={() => settle(true)}>
          I’ve saved it
        </Button>
      </div>
    </>
  ))
  // Signing out, in any tab, closes it for good. A server that rejects the token does not: the same person signs in again.
  if (isSaved || (token.peek() === null && !refused.peek())) {
    releasePage(options)
    return
  }
  announce(`You closed the dialog before saving the ${options.kind} ${options.owner}.`, 'warning', {
    text: 'Show again',
    run: () => void revealOnce(options),
    waive: () => releasePage(options),
  })
}

/** Closes the dialog without a result, for example because the token was rejected meanwhile. */
export function dismissDialog(): void {
  shown.peek()?.dismiss()
}

/** The dialog of the page, which never unmounts. The native element traps the focus. */
export function DialogHost() {
  const element = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element | null>(null)
  const current = shown.value
  useLayoutEffect(() => {
    const onPointer = (event: PointerEvent) => {
      pressed = event
    }
    addEventListener('pointerdown', onPointer, true)
  }, [])
  useLayoutEffect(() => {
    if (!current) return
    opener.current = document.activeElement
    element.current?.showModal()
    if (element.current) clearOfPointer(element.current)
    return () => {
      element.current?.close()
      // The button that opened it may have been deleted. The focus then moves to the heading or the token prompt.
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
      <Button
        class="button plain small icon-only dialog-close"
        aria-label="Close the dialog"
        run={() => current.dismiss()}
      >
        <Icon name="close" />
      </Button>
    </dialog>
  )
}
