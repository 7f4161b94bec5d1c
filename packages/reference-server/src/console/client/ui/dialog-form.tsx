/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { CallError } from '../api.ts'
import { announce } from './announcer.tsx'
import type { Dialog } from './dialog.tsx'

/**
 * A form in a dialog. What was typed stays while the server is asked; a refusal shows at the field that it is about, so
 * that only the mistake has to be typed again. Ends with the server's answer, or `undefined` when the token is refused
 * or when the reader had left before the server refused.
 */
export function DialogForm<Result>({
  action,
  submit,
  dialog,
  children,
}: {
  /** Text of the button. */
  action: string
  submit: (values: FormData) => Promise<Result>
  /** The dialog that the form is in. */
  dialog: Dialog<Result>
  /** The labelled fields, named as the server names them. */
  children: ComponentChildren
}) {
  const form = useRef<HTMLFormElement>(null)
  const [error, setError] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)

  const mark = (field: string | undefined) => {
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
    // The token prompt says a 401 already.
    const isShown = isRefusal && cause.status !== 401 && dialog.isOpen()
    if (isShown) {
      setError(cause.message)
      mark(cause.field)
      return
    }
    dialog.settle()
    if (!isRefusal) throw cause
    if (cause.status !== 401) announce(cause.message, 'error')
  }
  const send = async (values: FormData): Promise<void> => {
    setBusy(true)
    setError(undefined)
    mark(undefined)
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
      onSubmit={(event) => {
        event.preventDefault()
        // A second Enter while the first is under way would make two of it.
        if (!isBusy) void send(new FormData(event.currentTarget))
      }}
    >
      {children}
      <p class="field-error" id="dialog-error" role="alert" hidden={error === undefined}>
        {error}
      </p>
      <div class="dialog-actions">
        <button type="submit" class="button primary" aria-disabled={isBusy}>
          {action}
        </button>
      </div>
    </form>
  )
}
