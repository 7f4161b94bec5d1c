import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { CallError } from '../api.ts'
import { announceFailure } from './announcer.tsx'
import { Button } from './controls.tsx'
import { type Dialog, dismissDialog, openDialog } from './dialog.tsx'

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
): Promise<Result | undefined> {
  return openDialog<Result>(title, (dialog) => (
    <DialogForm key={dialog} action={action} submit={submit} dialog={dialog}>
      {fields}
    </DialogForm>
  ))
}

interface DialogFormProps<Result> {
  readonly action: string
  readonly submit: (values: FormData) => Promise<Result>
  readonly dialog: Dialog<Result>
  readonly children: ComponentChildren
}

function DialogForm<Result>({ action, submit, dialog, children }: DialogFormProps<Result>) {
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
        <Button run={dismissDialog}>Cancel</Button>
        <button type="submit" class="button primary" aria-disabled={isBusy}>
          {action}
        </button>
      </div>
    </form>
  )
}
