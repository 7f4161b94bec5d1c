/** @jsxImportSource preact */

import type { BuilderForm } from '@formwire/contract/control'
import { call } from '../api.ts'
import { go, link } from '../router.ts'
import { forms } from '../state/catalog.ts'
import { act } from '../ui/act.ts'
import { announce } from '../ui/announcer.tsx'
import { copyAndAnnounce } from '../ui/copy.tsx'
import { confirmed, openDialog } from '../ui/dialog.tsx'
import { DialogForm } from '../ui/dialog-form.tsx'
import { MenuButton, type MenuItem } from '../ui/menu.tsx'
import { builderItems } from './builder/builder-actions.tsx'

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
  if (done) announce('Moved to trash')
  await forms.refresh()
}

/** The action that the status of the form asks for: publish, close, reopen, unarchive or restore it. */
export function FormMainAction({ form, class: className }: { form: BuilderForm; class: string }) {
  const button = (text: string, verb: string, done: string) => (
    <button
      type="button"
      class={className}
      onClick={() => void change(() => call('POST', `${path(form)}/${verb}`), done)}
    >
      {text}
    </button>
  )
  if (form.trashed) return button('Restore', 'restore', 'Restored from the trash')
  switch (form.status) {
    case 'published':
      return button('Close form', 'close', 'Closed. The public link no longer accepts responses.')
    case 'closed':
      return button('Reopen', 'reopen', 'Reopened')
    case 'archived':
      return button('Unarchive', 'unarchive', 'Unarchived')
    default:
      return button('Publish', 'publish', 'Published')
  }
}

/** The menu of a form: what is not needed every day. A form in the trash has none. */
export function FormMenu({
  form,
  label,
  class: className,
  isOfRow = false,
}: {
  form: BuilderForm
  /** Accessible name of the menu. */
  label: string
  class?: string
  /** Whether the page of the form, with its other buttons, is a click away. */
  isOfRow?: boolean
}) {
  if (form.trashed) return null
  const post = (verb: string, done: string) => () =>
    void change(() => call('POST', `${path(form)}/${verb}`), done)
  const isPublished = form.status === 'published' || form.status === 'closed'
  const items = (): readonly MenuItem[] => [
    ...(isOfRow
      ? [
          { text: 'Edit', icon: 'edit', run: () => go(link(['forms', form.id, 'edit'])) } as const,
          {
            text: 'Copy the public link',
            icon: 'copy',
            run: () => void copyAndAnnounce(form.url, 'the link'),
          } as const,
        ]
      : []),
    ...builderItems(form),
    { text: 'Rename', icon: 'rename', run: () => void rename(form) },
    ...(isPublished
      ? [{ text: 'Publish again', icon: 'send', run: post('publish', 'Published') } as const]
      : []),
    ...(form.status === 'archived'
      ? []
      : [{ text: 'Archive', icon: 'archive', run: post('archive', 'Archived') } as const]),
    { text: 'Move to trash', icon: 'delete', isDanger: true, run: () => void trash(form) },
  ]
  return <MenuButton label={label} items={items} {...(className === undefined ? {} : { class: className })} />
}
