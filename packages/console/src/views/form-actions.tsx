import type { BuilderForm, FormPreview } from '@formwire/contract/control'
import { appUrl, call, formPath } from '../api.ts'
import { go, link } from '../router.ts'
import { forms } from '../state/catalog.ts'
import { act, announce } from '../ui/announcer.tsx'
import type { IconName } from '../ui/controls.tsx'
import { Button, Icon } from '../ui/controls.tsx'
import { copyAndAnnounce } from '../ui/copy.tsx'
import { confirmed, openDialog } from '../ui/dialog.tsx'
import { DialogForm } from '../ui/dialog-form.tsx'
import { MenuButton, type MenuItem } from '../ui/menu.tsx'
import { contentOf } from './builder/drafts.ts'

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
  text: 'Archive',
  icon: 'archive',
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
  const renamed = await openDialog<unknown>('Rename the form', (dialog) => (
    <DialogForm
      action="Rename"
      dialog={dialog}
      submit={(values) => call('PATCH', formPath(form.id), { title: String(values.get('title')) })}
    >
      <p>Respondents see the new title after the form is published again.</p>
      <label class="field">
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

/** The button of the next step. */
export function FormMainAction({ form }: { form: BuilderForm }) {
  const step = nextStep(form)
  if (!step) return null
  return <Button run={() => take(form, step)}>{step.text}</Button>
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
  const item = (step: FormStep): MenuItem => ({ ...step, run: () => void take(form, step) })
  const next = nextStep(form)
  // The page has a button for it. A row has none: the list moves when a form changes, and another row would be under the pointer.
  const nextItem = isOfRow && next ? [item(next)] : []
  if (form.trashed && !isOfRow) return null
  const items = (): readonly MenuItem[] =>
    form.trashed
      ? nextItem
      : [
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
          ...nextItem,
          ...(form.status === 'published' || form.status === 'closed'
            ? [item({ ...PUBLISH, text: 'Publish again' })]
            : []),
          ...(form.status === 'published' ? [item(CLOSE)] : []),
          ...(form.status === 'archived' ? [] : [item(ARCHIVE)]),
          { text: 'Move to trash', icon: 'delete', isDanger: true, run: () => void trash(form) },
        ]
  return <MenuButton label={label} items={items} {...(className === undefined ? {} : { class: className })} />
}

/** Whether the public form accepts a response. It may still be full, or outside its dates: the server then refuses one. */
export const acceptsSamples = ({ status, trashed }: BuilderForm): boolean =>
  status === 'published' && !trashed

const commands = () => import('./lazy-parts.ts')

/** Opens the page of the builder's questions, published or not, in a new tab. */
async function preview(form: BuilderForm): Promise<void> {
  const made = await act(() => call<FormPreview>('POST', 'previews', contentOf(form)))
  if (made) window.open(appUrl(made.path), '_blank', 'noopener')
}

/** The buttons that try and edit a form. Edit is last, because it changes nothing: it comes where “Save and publish” was. */
export function BuilderActions({ form }: { form: BuilderForm }) {
  if (form.trashed) return null
  return (
    <>
      {acceptsSamples(form) ? (
        <Button run={() => act(async () => (await commands()).submitSample(form))}>
          <Icon name="send" />
          Submit a sample response
        </Button>
      ) : null}
      <a class="button" href={link(['forms', form.id, 'edit'])}>
        <Icon name="edit" />
        Edit
      </a>
    </>
  )
}

/** What the menu of a form has of the builder. */
export const builderItems = (form: BuilderForm): readonly MenuItem[] => [
  { text: 'Preview', icon: 'preview', run: () => void preview(form) },
  {
    text: 'Duplicate',
    icon: 'duplicate',
    run: () => void act(async () => (await commands()).duplicateForm(form)),
  },
]

/** The button that creates a form. */
export function NewFormButton() {
  return (
    <Button class="button primary" run={() => act(async () => (await commands()).createForm())}>
      New form
    </Button>
  )
}
