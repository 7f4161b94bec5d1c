import type { BuilderForm, FormPreview } from '@formwire/contract/control'
import { appUrl, call, formPath } from '../api.ts'
import { go, link } from '../router.ts'
import { forms } from '../state/catalog.ts'
import { act, announce } from '../ui/announcer.tsx'
import { Button, Icon, type IconName } from '../ui/controls.tsx'
import { copyAndAnnounce } from '../ui/copy.tsx'
import { confirmed } from '../ui/dialog.tsx'
import { openForm } from '../ui/dialog-form.tsx'
import { MenuButton, type MenuItem, type MenuItems } from '../ui/menu.tsx'
import { contentOf } from './builder/drafts.ts'
import { createForm, duplicateForm, submitSample } from './builder/form-commands.tsx'

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
const RESTORE: FormStep = { text: 'Restore', icon: 'play', verb: 'restore', done: 'Restored from the trash' }
const CLOSE: FormStep = {
  text: 'Close form',
  icon: 'pause',
  verb: 'close',
  done: 'Closed. The public link no longer accepts responses.',
  undo: REOPEN,
}
const ARCHIVE: FormStep = {
  ...UNARCHIVE,
  text: 'Archive',
  verb: 'archive',
  done: 'Archived',
  undo: UNARCHIVE,
}

async function take(form: BuilderForm, { verb, done, undo }: FormStep): Promise<void> {
  const changed = await act(() => call('POST', `${formPath(form.id)}/${verb}`).then(() => true))
  if (changed) announce(done, 'done', undo && { text: 'Undo', run: () => void take(form, undo) })
  await forms.refresh()
}

async function rename(form: BuilderForm): Promise<void> {
  const renamed = await openForm<unknown>(
    'Rename the form',
    'Rename',
    (values) => call('PATCH', formPath(form.id), { title: String(values.get('title')) }),
    <>
      <p>Respondents see the new title after the form is published again.</p>
      <label class="field">
        Title
        <input name="title" defaultValue={form.title} required maxLength={400} />
      </label>
    </>,
  )
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
  const done = await act(() => call('POST', `${formPath(form.id)}/trash`).then(() => true))
  if (done) announce('Moved to trash')
  await forms.refresh()
}

/** The step that the status of the form asks for. A published form has none: what ends it is in the menu. */
function nextStep({ trashed, status }: BuilderForm): FormStep | undefined {
  if (trashed) return RESTORE
  if (status === 'published') return undefined
  if (status === 'closed') return REOPEN
  return status === 'archived' ? UNARCHIVE : PUBLISH
}

/** Opens the page of the builder's questions, published or not, in a new tab. */
async function preview(form: BuilderForm): Promise<void> {
  const made = await act(() => call<FormPreview>('POST', 'previews', contentOf(form)))
  if (made) window.open(appUrl(made.path), '_blank', 'noopener')
}

/** The menu of a form: what is not needed every day. The page of a form in the trash has none. */
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
  const { status, trashed } = form
  if (trashed && !isOfRow) return null
  const item = (step: FormStep): MenuItem => ({ ...step, run: () => void take(form, step) })
  // The page has a button for it. A row has none: the list moves when a form changes, and another row would be under the pointer.
  const next = isOfRow && nextStep(form)
  const nextItem = next && item(next)
  const items = (): MenuItems => [
    isOfRow && { text: 'Edit', icon: 'edit', run: () => go(link(['forms', form.id, 'edit'])) },
    isOfRow && {
      text: 'Copy the public link',
      icon: 'copy',
      run: () => void copyAndAnnounce(form.url, 'the link'),
    },
    { text: 'Preview', icon: 'preview', run: () => void preview(form) },
    {
      text: 'Duplicate',
      icon: 'duplicate',
      run: () => void act(() => duplicateForm(form)),
    },
    { text: 'Rename', icon: 'rename', run: () => void rename(form) },
    nextItem,
    (status === 'published' || status === 'closed') && item({ ...PUBLISH, text: 'Publish again' }),
    status === 'published' && item(CLOSE),
    status !== 'archived' && item(ARCHIVE),
    { text: 'Move to trash', icon: 'delete', isDanger: true, run: () => void trash(form) },
  ]
  return <MenuButton label={label} items={() => (trashed ? [nextItem] : items())} class={className} />
}

/** The buttons of the page of a form: they try it, edit it, and take the step that its status asks for. */
export function FormActions({ form }: { form: BuilderForm }) {
  const step = nextStep(form)
  return (
    <>
      {/* The form may still be full, or outside its dates: the server then refuses a response. */}
      {form.status === 'published' && !form.trashed ? (
        <Button run={() => act(() => submitSample(form))}>
          <Icon name="send" />
          Submit a sample response
        </Button>
      ) : null}
      {/* Comes where “Save and publish” was, because it changes nothing. */}
      {form.trashed ? null : (
        <a class="button" href={link(['forms', form.id, 'edit'])}>
          <Icon name="edit" />
          Edit
        </a>
      )}
      {step ? <Button run={() => take(form, step)}>{step.text}</Button> : null}
      <FormMenu form={form} label="More actions" class="button icon-only" />
    </>
  )
}

/** The button that creates a form. */
export function NewFormButton() {
  return (
    <Button class="button primary" run={() => act(() => createForm())}>
      New form
    </Button>
  )
}
