import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { CallError } from '../api.ts'
import { announceFailure } from './announcer.tsx'
import { Button, Icon } from './controls.tsx'
import { Copy } from './copy.tsx'

interface OpenDialog {
  readonly title: string
  readonly body: ComponentChildren
  /** Whether only its own buttons close it. */
  readonly isSticky: boolean
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

/**
 * Shows a dialog until it is settled. Resolves with `undefined` if it is dismissed by Escape, another view or another dialog.
 *
 * @param isSticky Whether only its own buttons close it. @default false
 */
export function openDialog<Result>(
  title: string,
  body: (dialog: Dialog<Result>) => ComponentChildren,
  isSticky = false,
): Promise<Result | undefined> {
  dismissDialog()
  // One that shows a secret stays until it was read.
  if (shown.peek()) return Promise.resolve(undefined)
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
      isSticky,
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
 * Asks for the fields of a request in a dialog. Input is preserved while the request is in flight, and an error is shown at the field
 * that caused it. Resolves with the response, or with `undefined` if the token is rejected or if the dialog was dismissed.
 *
 * @param action Label of the submit button.
 * @param fields The fields, with the names of the request fields.
 */
export function openForm<Result>(
  title: string,
  action: string,
  submit: (values: FormData) => Promise<Result>,
  fields: ComponentChildren,
  look: Look = {},
): Promise<Result | undefined> {
  return openDialog<Result>(title, (dialog) => (
    <DialogForm key={dialog} action={action} submit={submit} dialog={dialog} {...look}>
      {fields}
    </DialogForm>
  ))
}

interface Look {
  /** Whether it cannot be undone. @default false */
  readonly isDangerous?: boolean
  /** Label of the other button. @default 'Cancel' */
  readonly dismiss?: string
}

interface DialogFormProps<Result> extends Look {
  readonly action: string
  readonly submit: (values: FormData) => Promise<Result>
  readonly dialog: Dialog<Result>
  readonly children: ComponentChildren
}

function DialogForm<Result>(props: DialogFormProps<Result>) {
  const { action, submit, dialog, isDangerous = false, dismiss = 'Cancel', children } = props
  const form = useRef<HTMLFormElement>(null)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const show = (message?: string, field?: string): void => {
    setError(message)
    for (const element of form.current?.querySelectorAll('[aria-invalid]') ?? []) {
      element.removeAttribute('aria-invalid')
      element.removeAttribute('aria-describedby')
    }
    const named = field === undefined ? null : form.current?.elements.namedItem(field)
    if (!(named instanceof HTMLElement)) return
    named.setAttribute('aria-invalid', 'true')
    named.setAttribute('aria-describedby', 'dialog-error')
    named.focus()
  }
  const refuse = (cause: unknown): void => {
    const isRefusal = cause instanceof CallError
    // The token prompt already shows a 401.
    if (isRefusal && cause.status !== 401 && dialog.isOpen()) {
      show(cause.message, cause.field)
      return
    }
    dialog.settle()
    if (!isRefusal) throw cause
    announceFailure(cause)
  }
  const send = async (values: FormData): Promise<void> => {
    setBusy(true)
    show()
    dialog.hold(true)
    try {
      dialog.settle(await submit(values))
    } catch (cause) {
      dialog.hold(false)
      refuse(cause)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      ref={form}
      onInput={() => show()}
      onSubmit={(event) => {
        event.preventDefault()
        // Enter pressed twice must not submit twice.
        if (!isBusy) void send(new FormData(event.currentTarget))
      }}
    >
      {children}
      <p class="field-error" id="dialog-error" role="alert" hidden={error === undefined}>
        {error}
      </p>
      <div class="row right">
        <Button run={dismissDialog}>{dismiss}</Button>
        <button type="submit" class={`button ${isDangerous ? 'danger' : 'primary'}`} aria-disabled={isBusy}>
          {action}
        </button>
      </div>
    </form>
  )
}

/** Asks for confirmation: by default of something that cannot be undone. */
export const confirmed = async ({
  title,
  text,
  action,
  ...look
}: Look & { title: string; text: ComponentChildren; action: string }): Promise<boolean> =>
  (await openForm(title, action, async () => true, <p>{text}</p>, { isDangerous: true, ...look })) === true

/** What would be lost with the page: edits, and keys and secrets not confirmed as saved. */
const unsaved = new Set<object>()

const ask = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Makes the browser ask before the page is left, until `releasePage` is called. */
export function holdPage(thing: object): void {
  unsaved.add(thing)
  addEventListener('beforeunload', ask)
}

/** Undoes `holdPage`. */
export function releasePage(thing: object): void {
  unsaved.delete(thing)
  // Registered only when needed, because the listener disables the back/forward cache.
  if (unsaved.size === 0) removeEventListener('beforeunload', ask)
}

/** Shows a key or secret that the server does not show again, until the person confirms that it was saved, or signs out. */
export async function revealOnce(options: {
  title: string
  /** `key` or `secret`. */
  kind: string
  value: string
  hint: string
  /** What can be done next, once it is saved. */
  next?: { readonly text: string; readonly run: () => void } | false
}): Promise<void> {
  holdPage(options)
  const body = ({ settle }: Dialog<true>) => (
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
        {options.next && (
          <Button run={options.next.run} icon="send">
            {options.next.text}
          </Button>
        )}
        <Button class="button primary" run={() => settle(true)}>
          I’ve saved it
        </Button>
      </div>
    </>
  )
  await openDialog<true>(options.title, body, true)
  releasePage(options)
}

/** Closes the dialog without a result, for example because the token was rejected meanwhile. */
export function dismissDialog(): void {
  if (!shown.peek()?.isSticky) discardDialog()
}

/** Closes any dialog for good, also one with a secret. */
export const discardDialog = (): void => shown.peek()?.dismiss()

/** The dialog of the page, which never unmounts. The native element traps the focus. */
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
      // A second Escape would close it whatever `cancel` says.
      onKeyDown={(event) => {
        if (event.key === 'Escape' && current.isSticky) event.preventDefault()
      }}
      onCancel={(event) => {
        event.preventDefault()
        dismissDialog()
      }}
    >
      <h2 id="dialog-title">{current.title}</h2>
      {current.body}
      {current.isSticky ? null : (
        <Button
          class="button plain small icon-only dialog-close"
          aria-label="Close the dialog"
          run={dismissDialog}
        >
          <Icon name="close" />
        </Button>
      )}
    </dialog>
  )
}
