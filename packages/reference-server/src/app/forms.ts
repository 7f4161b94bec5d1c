import type { Form } from '@formwire/contract'
import { LIMITS } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import { type FormAction, transition } from '../domain/form-transitions.ts'
import { formWire } from '../domain/form-wire.ts'
import { type Question, readQuestions } from '../domain/question/index.ts'
import { invalid, notFound, ServiceError } from '../http/errors.ts'
import { randomText } from '../random.ts'
import { orNull, readInstant, readPositive, readTitle } from './input.ts'
import type { Actor } from './keys.ts'

/** A form as the builder shows it: the wire form and what the API does not tell. */
export interface FormView extends Form {
  workspace_id: number
  /** Questions as the builder has them. */
  questions: readonly Question[]
  /** Title that respondents see; `null` before the first publishing (FORM-09). */
  published_title: string | null
  trashed: boolean
}

/** What the builder may set. Instants are ISO 8601. */
export interface FormDraft {
  title: string
  questions?: readonly unknown[]
  response_limit?: number | null
  opens_at?: string | null
  closes_at?: string | null
}

export interface NewForm extends FormDraft {
  /** @default the workspace of the first line */
  workspace_id?: number
}

const SLUG_LENGTH = 8

/** The builder and the dashboard. */
export function createForms(context: Context, actor: () => Actor) {
  const view = (form: FormRecord): FormView => formView(context, form)
  const find = (id: string): FormRecord => {
    const form = context.state.forms.get(id)
    if (!form) throw notFound()
    return form
  }
  const put = (form: FormRecord): FormView => {
    const updated = { ...form, revision: context.state.forms.nextRevision() }
    context.state.forms.put(updated)
    return view(updated)
  }
  const move =
    (action: FormAction) =>
    (id: string): FormView => {
      const moved = transition(find(id), action, context.clock.now())
      if (!moved.ok) throw new ServiceError('validation_failed', moved.message, { field: 'status' })
      const form = put(moved.form)
      if (action === 'trash') context.publish({ type: 'form.trashed', formId: id })
      return form
    }

  return {
    /** Makes a draft. */
    create(input: NewForm): FormView {
      const workspaceId = readPositive(input.workspace_id ?? actor().workspaceId, 'workspace_id')
      if (!context.state.people.workspace(workspaceId)) {
        throw invalid('workspace_id', `There is no workspace ${workspaceId}.`)
      }
      const now = context.clock.now()
      return put({
        title: readTitle(input.title),
        questions: [],
        responseLimit: null,
        opensAt: null,
        closesAt: null,
        ...readDraft(input),
        id: newFormId(context),
        revision: 0,
        workspaceId,
        slug: newSlug(context),
        status: 'draft',
        publication: null,
        statusBeforeArchive: null,
        responseCount: 0,
        createdAt: now,
        updatedAt: now,
        trashedAt: null,
      })
    },
    /** Edits the draft in the builder: respondents see title and questions once it is published again (FORM-09). */
    update(id: string, changes: Partial<FormDraft>): FormView {
      const form = find(id)
      if (form.trashedAt !== null)
        throw new ServiceError('validation_failed', 'Restore the form before you edit it.')
      return put({ ...form, ...readDraft(changes), updatedAt: context.clock.now() })
    },
    get: (id: string): FormView => view(find(id)),
    /** Trashed forms too, most recently updated first. */
    list({ workspace_id: workspaceId }: { workspace_id?: number } = {}): FormView[] {
      return Array.from(context.state.forms.all())
        .filter((form) => workspaceId === undefined || form.workspaceId === workspaceId)
        .sort((a, b) => b.updatedAt - a.updatedAt || b.revision - a.revision)
        .map(view)
    },
    /** Shows respondents the builder's title and questions; again for changes. Reopens a closed form. */
    publish: move('publish'),
    close: move('close'),
    reopen: move('reopen'),
    archive: move('archive'),
    /** Back to the status before. */
    unarchive: move('unarchive'),
    /** Out of every list; the link is dead and waiting deliveries are cancelled. */
    trash: move('trash'),
    restore: move('restore'),
  }
}

function readDraft(changes: Partial<FormDraft>): Partial<FormRecord> {
  return {
    ...(changes.title !== undefined && { title: readTitle(changes.title) }),
    ...(changes.questions !== undefined && { questions: questionsOf(changes.questions) }),
    ...(changes.response_limit !== undefined && {
      responseLimit: orNull(changes.response_limit, (limit) => readPositive(limit, 'response_limit')),
    }),
    ...(changes.opens_at !== undefined && {
      opensAt: orNull(changes.opens_at, (at) => readInstant(at, 'opens_at')),
    }),
    ...(changes.closes_at !== undefined && {
      closesAt: orNull(changes.closes_at, (at) => readInstant(at, 'closes_at')),
    }),
  }
}

function questionsOf(input: unknown): Question[] {
  const reading = readQuestions(input)
  if (!reading.ok) throw invalid(reading.field, `${reading.field}: ${reading.message}.`)
  return reading.questions
}

function formView({ settings }: Context, form: FormRecord): FormView {
  return {
    ...formWire(form, settings),
    workspace_id: form.workspaceId,
    questions: form.questions,
    published_title: form.publication?.title ?? null,
    trashed: form.trashedAt !== null,
  }
}

/** An id that no form has. */
export function newFormId({ state, random }: Pick<Context, 'state' | 'random'>): string {
  for (;;) {
    const id = randomText(random, LIMITS.formIdLength)
    if (!state.forms.get(id)) return id
  }
}

/** A slug that no form has. */
export function newSlug({ state, random }: Pick<Context, 'state' | 'random'>): string {
  for (;;) {
    const slug = randomText(random, SLUG_LENGTH)
    if (!state.forms.bySlug(slug)) return slug
  }
}
