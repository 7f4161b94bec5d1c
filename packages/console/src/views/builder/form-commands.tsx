import type { BuilderForm } from '@formwire/contract/control'
import { call, formPath } from '../../api.ts'
import { quoted } from '../../format.ts'
import { go, link } from '../../router.ts'
import { forms, workspaces } from '../../state/catalog.ts'
import { act, announce } from '../../ui/announcer.tsx'
import { Field, optionsOf, Select } from '../../ui/controls.tsx'
import { copyAndAnnounce } from '../../ui/copy.tsx'
import { confirmed, openForm } from '../../ui/dialog.tsx'
import { contentOf } from './drafts.ts'
import { choicesOf, type EditedForm } from './model.ts'

const TITLE_MAX = 200

/** What a new form can start with. */
const TEMPLATES: Readonly<Record<string, readonly [text: string, ...questions: object[]]>> = {
  blank: ['No questions'],
  feedback: [
    'Feedback: rating, comment, email',
    { type: 'rating', title: 'How was it?', required: true },
    { type: 'long_text', title: 'What could be better?' },
    { type: 'email', title: 'Your email, if we may contact you' },
  ],
  nps: [
    'Net promoter score',
    { type: 'nps', title: 'How likely are you to recommend us?', required: true },
    { type: 'long_text', title: 'What is the main reason for your score?' },
  ],
  registration: [
    'Registration: name, email, choice',
    { type: 'short_text', title: 'Your name', required: true },
    { type: 'email', title: 'Your email', required: true },
    { type: 'single_choice', title: 'Which day suits you?', options: choicesOf(['Friday', 'Saturday']) },
  ],
}

const edit = async ({ id }: BuilderForm): Promise<void> => {
  await forms.refresh()
  go(link(['forms', id, 'edit']))
}

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
        questions: TEMPLATES[String(values.get('template'))]?.slice(1) ?? [],
        ...(values.has('workspace_id') && { workspace_id: Number(values.get('workspace_id')) }),
      }),
    <>
      <Field label="Title" name="title" required maxLength={400} placeholder="Guest feedback" />
      <Select
        label="Start with"
        name="template"
        options={Object.entries(TEMPLATES).map(([name, [text]]) => [name, text])}
      />
      {known.length > 1 ? <Select label="Workspace" name="workspace_id" options={optionsOf(known)} /> : null}
    </>,
  )
  if (created) await edit(created)
}

/** Creates a draft with the same questions and limits, and opens it in the builder. */
export async function duplicateForm(form: BuilderForm): Promise<void> {
  const { response_limit, opens_at, closes_at, workspace_id } = form
  const title = Array.from(`Copy of ${form.title}`).slice(0, TITLE_MAX).join('')
  const body = { ...contentOf(form), title, response_limit, opens_at, closes_at, workspace_id }
  const copy = await act(() => call<BuilderForm>('POST', 'forms', body), `Created ${quoted(title)}`)
  if (copy) await edit(copy)
}

/** Opens the public page of a form in a new tab. */
export const openPublic = ({ url }: Pick<BuilderForm, 'url'>) => void window.open(url, '_blank', 'noopener')

/** Says that a form is published, and offers its link. @param more What else is said of it. @default '' */
export function announcePublished(form: Pick<BuilderForm, 'title' | 'url'>, more = ''): void {
  announce(`Published ${quoted(form.title)}${more}`, 'done', [
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
