import type { BuilderForm } from '@formwire/contract/control'
import { call, formPath } from '../api.ts'
import { quoted } from '../format.ts'
import { go, link } from '../router.ts'
import { forms } from '../state/catalog.ts'
import { act, announce } from '../ui/announcer.tsx'
import { Button, Icon, type IconName } from '../ui/controls.tsx'
import { copyAndAnnounce } from '../ui/copy.tsx'
import { confirmed } from '../ui/dialog.tsx'
import { MenuButton, type MenuItem, type MenuItems } from '../ui/menu.tsx'
import { announcePublished, mayPublish } from './builder/form-commands.tsx'

interface FormStep {
  readonly text: string
  readonly icon: IconName
  readonly verb: string
  readonly done: string
  /** The step that takes it back, which the notice offers. */
  readonly undo?: FormStep
}

const PUBLISH: FormStep = { text: 'Publish', icon: 'send', verb: 'publish', done: 'Published' }
const REOPEN: FormStep = { text: 'Reopen', icon: 'play', verb: 'reopen', done: 'Reopened' }
const UNARCHIVE: FormStep = { text: 'Unarchive', icon: 'archive', verb: 'unarchive', done: 'Unarchived' }
const RESTORE: FormStep = { text: 'Restore', icon: 'play', verb: 'restore', done: 'Restored' }
const TRASH: FormStep = { text: 'Move to trash', icon: 'delete', verb: 'trash', done: 'Moved to trash:' }
const ARCHIVE: FormStep = {
  ...UNARCHIVE,
  text: 'Archive',
  verb: 'archive',
  done: 'Archived',
  undo: UNARCHIVE,
}
const CLOSE: FormStep = { text: 'Close form', icon: 'lock', verb: 'close', done: 'Closed', undo: REOPEN }

async function take(form: BuilderForm, { verb, done, undo }: FormStep): Promise<void> {
  if (verb === 'publish' && !(await mayPublish(form))) return
  const changed = await act(() => call('POST', `${formPath(form.id)}/${verb}`).then(() => true))
  if (!changed) return
  if (verb === 'publish') announcePublished(form)
  else {
    const text = `${done} ${quoted(form.title)}`
    announce(text, 'done', undo && { text: 'Undo', run: () => void take(form, undo) })
  }
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
    action: TRASH.text,
  })
  if (sure) await take(form, TRASH)
}

const BY_STATUS: Readonly<Record<string, FormStep>> = { draft: PUBLISH, closed: REOPEN, archived: UNARCHIVE }

/** The step that the status of the form asks for. A published form has none: what ends it is in the menu. */
const nextStep = ({ trashed, status }: BuilderForm): FormStep | undefined =>
  trashed ? RESTORE : BY_STATUS[status]

/**
 * The menu of a form: what is not needed every day. The page of a form in the trash has none.
 *
 * @param isOfRow Whether the page of the form, with its other buttons, is a click away. @default false
 */
export function FormMenu({ form, isOfRow = false }: { form: BuilderForm; isOfRow?: boolean }) {
  const { status, trashed } = form
  if (trashed && !isOfRow) return null
  const item = (step: FormStep): MenuItem => ({ ...step, run: () => void take(form, step) })
  // The page has a button for it. A row has none: the list moves when a form changes, and another row would be under the pointer.
  const next = isOfRow && nextStep(form)
  const nextItem = next && item(next)
  const copyLink = () => copyAndAnnounce(form.url, 'the link')
  const items = (): MenuItems => [
    isOfRow && { text: 'Edit', icon: 'edit', run: () => go(link(['forms', form.id, 'edit'])) },
    isOfRow && { text: 'Copy the public link', icon: 'copy', run: () => void copyLink() },
    nextItem,
    (status === 'published' || status === 'closed') && item({ ...PUBLISH, text: 'Publish again' }),
    status === 'published' && item(CLOSE),
    status !== 'archived' && item(ARCHIVE),
    { ...TRASH, isDanger: true, run: () => void trash(form) },
  ]
  return (
    <MenuButton
      label={isOfRow ? `Actions of form ${form.title}` : 'More actions'}
      items={() => (trashed ? [nextItem] : items())}
      class={isOfRow ? undefined : 'button icon-only'}
    />
  )
}

/** The buttons of the page of a form: they open it, edit it, and take the step that its status asks for. */
export function FormActions({ form }: { form: BuilderForm }) {
  const step = nextStep(form)
  return (
    <>
      {/* The form may still be full, or outside its dates: the server then refuses a response. */}
      {form.status === 'published' && !form.trashed ? (
        <a class="button" href={form.url} target="_blank" rel="noopener noreferrer">
          <Icon name="send" />
          Open the form
        </a>
      ) : null}
      {/* Comes where “Save and publish” was, because it changes nothing. */}
      {form.trashed ? null : (
        <a class="button" href={link(['forms', form.id, 'edit'])}>
          <Icon name="edit" />
          Edit
        </a>
      )}
      {step ? <Button run={() => take(form, step)}>{step.text}</Button> : null}
      <FormMenu form={form} />
    </>
  )
}
