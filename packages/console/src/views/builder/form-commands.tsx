import type { BuilderForm } from '@formwire/contract/control'
import { call, formPath } from '../../api.ts'
import { quoted } from '../../format.ts'
import { go, link } from '../../router.ts'
import { forms, workspaces } from '../../state/catalog.ts'
import { announce } from '../../ui/announcer.tsx'
import { Field, optionsOf, Select } from '../../ui/controls.tsx'
import { copyAndAnnounce } from '../../ui/copy.tsx'
import { confirmed, openForm } from '../../ui/dialog.tsx'
import type { EditedForm } from './model.ts'

const SAMPLE = [
  { id: 'rating', type: 'rating', title: 'How was your stay?', required: true },
  { id: 'comment', type: 'long_text', title: 'What could be better?' },
]

/** The answers of a response to the sample form. */
export const SAMPLE_ANSWERS = [
  { question_id: 'rating', value: 4 },
  { question_id: 'comment', value: 'Breakfast could start earlier.' },
]

/** Creates a form with two questions and publishes it. @throws CallError */
export async function createSample(): Promise<void> {
  const { id } = await call<BuilderForm>('POST', 'forms', { title: 'Guest feedback', questions: SAMPLE })
  await call('POST', `${formPath(id)}/publish`)
}

/** Asks for a title, creates a form and opens it in the builder. */
export async function createForm(): Promise<void> {
  if (!workspaces.data.peek()) await workspaces.freshen()
  const known = workspaces.data.peek() ?? []
  const created = await openForm(
    'New form',
    'Create',
    (values) =>
      call<BuilderForm>('POST', 'forms', {
        title: String(values.get('title')).trim(),
        ...(values.has('workspace_id') && { workspace_id: Number(values.get('workspace_id')) }),
      }),
    <>
      <Field label="Title" name="title" required maxLength={400} placeholder="Guest feedback" />
      {known.length > 1 ? <Select label="Workspace" name="workspace_id" options={optionsOf(known)} /> : null}
    </>,
  )
  if (!created) return
  await forms.refresh()
  go(link(['forms', created.id, 'edit']))
}

/** Opens the public page of a form in a new tab. */
export const openPublic = ({ url }: Pick<BuilderForm, 'url'>) => void window.open(url, '_blank', 'noopener')

/** Says that a form is published, and offers its link. */
export function announcePublished(form: Pick<BuilderForm, 'title' | 'url'>): void {
  announce(`Published ${quoted(form.title)}`, 'done', [
    { text: 'Open form', run: () => openPublic(form) },
    { text: 'Copy link', run: () => void copyAndAnnounce(form.url, 'the link') },
  ])
}

/** Whether to publish a form: it asks if that has no questions. */
export const mayPublish = async ({ questions }: Pick<EditedForm, 'questions'>): Promise<boolean> =>
  questions.length > 0 ||
  confirmed({
    title: 'Publish without questions?',
    text: 'Respondents would see only the title and the button to submit.',
    action: 'Publish anyway',
    isDangerous: false,
  })
