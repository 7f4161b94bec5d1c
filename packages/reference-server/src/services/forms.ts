import { isDeepStrictEqual } from 'node:util'
import { LIMITS } from '@formwire/contract'
import type { BuilderForm } from '@formwire/contract/control'
import type { Given } from '@formwire/internal/given'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import { type FormAction, transition } from '../domain/form-status.ts'
import { formWire } from '../domain/form-wire.ts'
import { readLanguage } from '../domain/language.ts'
import { type Question, readQuestions } from '../domain/question/index.ts'
import { invalid, orNotFound, ServiceError, unprocessable, valueOrThrow } from '../domain/service-error.ts'
import { namesOf } from '../known-names.ts'
import { type RandomSource, randomText } from '../random.ts'
import { orNull, readInstant, readPositive, readTitle, refuseUnknownFields } from './input.ts'
import type { Actor } from './keys.ts'
import { findUnknownField } from './question-fields.ts'

/** The fields that the builder may set. Instants are ISO 8601. */
export interface FormDraft {
  title: string
  questions?: readonly unknown[] | undefined
  /** BCP 47 tag. */
  language?: string | null | undefined
  response_limit?: number | null | undefined
  opens_at?: string | null | undefined
  closes_at?: string | null | undefined
}

export interface NewForm extends FormDraft {
  /** @default the server's own workspace */
  workspace_id?: number | undefined
}

/** What to change of a form. */
export interface FormEdit extends Given<FormDraft> {
  /** The `revision` that the changes were made to: any other is refused with `conflict`. @default not checked */
  revision?: number | undefined
}

const DRAFT_FIELDS = namesOf<FormDraft>({
  title: true,
  questions: true,
  language: true,
  response_limit: true,
  opens_at: true,
  closes_at: true,
})

const SLUG_LENGTH = 8

/** The builder and the dashboard. */
export function createForms(context: Context, actor: () => Actor) {
  const view = (form: FormRecord): BuilderForm => ({
    ...formWire(form, context.clock.now(), context.settings),
    workspace_id: form.workspaceId,
    language: form.language ?? null,
    questions: form.questions,
    published_title: form.publication?.title ?? null,
    unpublished_changes: hasUnpublishedChanges(form),
    trashed: form.trashedAt !== null,
    revision: form.revision,
  })
  const find = (id: string): FormRecord => findForm(context, id)
  const put = (form: FormRecord): BuilderForm => {
    const updated = { ...form, revision: context.state.forms.nextRevision() }
    context.state.forms.put(updated)
    return view(updated)
  }
  const move =
    (action: FormAction) =>
    (id: string): BuilderForm => {
      const form = put(valueOrThrow(transition(find(id), action, context.clock.now())))
      if (action === 'trash') context.events.emit('change', { type: 'form.trashed', formId: id })
      return form
    }

  return {
    /** Creates a draft. */
    create(input: NewForm): BuilderForm {
      refuseUnknownFields(input, [...DRAFT_FIELDS, 'workspace_id'])
      const workspaceId = readPositive(input.workspace_id ?? actor().workspaceId, 'workspace_id')
      if (!context.state.people.workspaces.get(workspaceId))
        throw invalid('workspace_id', `Workspace ${workspaceId} does not exist.`)
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
    /** Edits a form. Respondents see a new title, questions or language once it is published again (FORM-09). */
    update(id: string, { revision, ...changes }: FormEdit): BuilderForm {
      const form = find(id)
      if (form.trashedAt !== null) throw unprocessable('The form is in the trash; restore it before editing.')
      refuseUnknownFields(changes, DRAFT_FIELDS)
      if (revision !== undefined && readPositive(revision, 'revision') !== form.revision) {
        const message = `The form has changed since revision ${revision}; read revision ${form.revision} first.`
        throw new ServiceError('conflict', message, { field: 'revision' })
      }
      return put({
        ...form,
        ...readDraft(changes),
        updatedAt: context.clock.now(),
      })
    },
    get: (id: string): BuilderForm => view(find(id)),
    /** Returns all forms, trashed ones included, most recently updated first. */
    list(filter: { workspace_id?: number | undefined } = {}): BuilderForm[] {
      refuseUnknownFields(filter, ['workspace_id'])
      const { workspace_id: workspaceId } = filter
      return Array.from(context.state.forms.all())
        .filter((form) => workspaceId === undefined || form.workspaceId === workspaceId)
        .sort((a, b) => b.updatedAt - a.updatedAt || b.revision - a.revision)
        .map(view)
    },
    /** Publishes the current title, questions and language, also of a form that is published already. Reopens a closed form. */
    publish: move('publish'),
    close: move('close'),
    reopen: move('reopen'),
    archive: move('archive'),
    /** Restores the status before archiving. */
    unarchive: move('unarchive'),
    /** Moves the form to the trash: it leaves every list, its link returns 404, and pending deliveries are cancelled. */
    trash: move('trash'),
    restore: move('restore'),
  }
}

/** What respondents see of a form. */
export type FormContent = Pick<FormRecord, 'title' | 'questions' | 'language'>

/** Reads a title, questions and a language as the builder does. Throws 422 naming the field. */
export function readFormContent(input: Readonly<Record<string, unknown>>): FormContent {
  refuseUnknownFields(input, ['title', 'questions', 'language'])
  return {
    title: readTitle(input.title),
    questions: questionsOf(input.questions),
    ...(input.language !== undefined && { language: languageOf(input.language) }),
  }
}

function readDraft(changes: Given<FormDraft>): Partial<FormRecord> {
  return {
    ...(changes.title !== undefined && { title: readTitle(changes.title) }),
    ...(changes.questions !== undefined && { questions: questionsOf(changes.questions) }),
    ...(changes.language !== undefined && { language: languageOf(changes.language) }),
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

function languageOf(value: unknown): string | null {
  const reading = readLanguage(value)
  if (reading.ok) return reading.value
  throw invalid('language', `language ${reading.refusal.message}`)
}

function questionsOf(input: unknown): Question[] {
  // First: a misspelled field is also a missing one.
  for (const [index, question] of (Array.isArray(input) ? input : []).entries()) {
    const unknown = findUnknownField(question)
    const field = `questions[${index}].${unknown?.path}`
    if (unknown) throw invalid(field, `${field}: ${unknown.message}`)
  }
  const reading = readQuestions(input)
  if (reading.ok) return reading.value
  const { field, message } = reading.refusal
  throw invalid(field, `${field}: ${message}.`)
}

/** Publishing keeps the parts of the form itself, so that comparing them is quick until they are edited. */
const hasUnpublishedChanges = ({ title, questions, language = null, publication }: FormRecord): boolean =>
  publication !== null &&
  (publication.title !== title ||
    (publication.language ?? null) !== language ||
    !isDeepStrictEqual(publication.questions, questions))

type TextSource = Pick<Context, 'state' | 'random'>

function unusedText(random: RandomSource, length: number, isTaken: (text: string) => unknown): string {
  const text = randomText(random, length)
  return isTaken(text) ? unusedText(random, length, isTaken) : text
}

export const newFormId = ({ state, random }: TextSource): string =>
  unusedText(random, LIMITS.formIdLength, (id) => state.forms.get(id))

export const newSlug = ({ state, random }: TextSource): string =>
  unusedText(random, SLUG_LENGTH, (slug) => state.forms.bySlug(slug))

/** Returns a form, trashed ones included. Throws 404 for an unknown one. */
export const findForm = ({ state }: Pick<Context, 'state'>, id: string): FormRecord =>
  orNotFound(state.forms.get(id))
