/** @jsxImportSource preact */

import type { BuilderForm } from '@formwire/contract/control'
import { call } from '../api.ts'
import { forms } from '../state/catalog.ts'
import { act } from '../ui/act.ts'
import { announce } from '../ui/announcer.tsx'
import { confirmed, openDialog } from '../ui/dialog.tsx'
import { DialogForm } from '../ui/dialog-form.tsx'

const path = (form: BuilderForm): string => `forms/${encodeURIComponent(form.id)}`

async function change(work: () => Promise<unknown>, done: string): Promise<void> {
  await act(work, done)
  await forms.refresh()
}

async function rename(form: BuilderForm): Promise<void> {
  const renamed = await openDialog<unknown>('Rename the form', (dialog) => (
    <DialogForm
      action="Rename"
      dialog={dialog}
      submit={(values) => call('PATCH', path(form), { title: String(values.get('title')) })}
    >
      <p>Respondents see the new title after the form is published again.</p>
      <label>
        Title
        <input name="title" defaultValue={form.title} required maxLength={400} />
      </label>
    </DialogForm>
  ))
  if (renamed === undefined) return
  announce('Renamed')
  await forms.refresh()
}

async function trash(form: BuilderForm): Promise<void> {
  const sure = await confirmed({
    title: 'Move the form to the trash?',
    text: (
      <>
        <bdi>{form.title.slice(0, 200)}</bdi> is removed from every list, its public link stops working, and
        its pending deliveries are cancelled.
      </>
    ),
    action: 'Move to trash',
  })
  if (!sure) return
  const done = await act(() => call('POST', `${path(form)}/trash`).then(() => true))
  if (done) announce('Moved to the trash')
  await forms.refresh()
}

/**
 * The buttons for the actions that the status of the form allows.
 *
 * @param isBrief For a row of the list: without the actions of the form's page.
 */
export function FormActions({ form, isBrief = false }: { form: BuilderForm; isBrief?: boolean }) {
  const post = (verb: string, done: string) => () =>
    void change(() => call('POST', `${path(form)}/${verb}`), done)
  const button = (text: string, onClick: () => void, kind = '') => (
    <button type="button" class={`button small ${kind}`} onClick={onClick}>
      {text}
    </button>
  )
  if (form.trashed) return button('Restore', post('restore', 'Restored from the trash'))
  const publish = post('publish', 'Published')
  return (
    <>
      {form.status === 'draft' ? button('Publish', publish) : null}
      {form.status === 'published'
        ? button('Close form', post('close', 'Closed. The public link no longer accepts responses.'))
        : null}
      {form.status === 'closed' ? button('Reopen', post('reopen', 'Reopened')) : null}
      {form.status === 'archived' ? button('Unarchive', post('unarchive', 'Unarchived')) : null}
      {isBrief ? null : (
        <>
          {form.status === 'published' || form.status === 'closed' ? button('Publish again', publish) : null}
          {button('Rename', () => void rename(form))}
          {form.status === 'archived' ? null : button('Archive', post('archive', 'Archived'))}
        </>
      )}
      {button('Trash', () => void trash(form), 'danger')}
    </>
  )
}
