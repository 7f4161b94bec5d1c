import { isDeepStrictEqual } from 'node:util'
import { type Question, readQuestions } from '../domain/question/index.ts'
import { DumpError } from './check-dump.ts'
import type { StateDump } from './state.ts'

type Id = string | number

/**
 * Every record of a dump stands alone under its id, and what it names is there: a key its user, a response its form, a
 * delivery its endpoint. A delivery may outlive its response (DLV-06), so that one reference is left alone. The records
 * have to be of their types (`checkDump`). @throws DumpError with the first that is not.
 */
export function checkReferences({
  people,
  keys,
  forms,
  responses,
  endpoints,
  deliveries,
  uploads,
}: StateDump): void {
  const users = ids(people.users, 'state.people.users', 'id')
  const workspaces = ids(people.workspaces, 'state.people.workspaces', 'id')
  each(people.memberships, 'state.people.memberships', ({ userId, workspaceId }, path) => {
    mustKnow(users, userId, `${path}.userId`, 'a user')
    mustKnow(workspaces, workspaceId, `${path}.workspaceId`, 'a workspace')
  })

  ids(keys.keys, 'state.keys.keys', 'id')
  ids(keys.keys, 'state.keys.keys', 'hash')
  each(keys.keys, 'state.keys.keys', ({ userId, workspaceId }, path) => {
    mustKnow(users, userId, `${path}.userId`, 'a user')
    mustKnow(workspaces, workspaceId, `${path}.workspaceId`, 'a workspace')
  })

  ids(forms.forms, 'state.forms.forms', 'id')
  ids(forms.forms, 'state.forms.forms', 'slug')
  const formById = new Map(forms.forms.map((form) => [form.id, form]))
  each(forms.forms, 'state.forms.forms', ({ workspaceId, questions, publication }, path) => {
    mustKnow(workspaces, workspaceId, `${path}.workspaceId`, 'a workspace')
    mustBeQuestions(questions, `${path}.questions`)
    if (publication) mustBeQuestions(publication.questions, `${path}.publication.questions`)
  })

  const responseIds = ids(responses.responses, 'state.responses.responses', 'id')
  const tokens = new Set<Id>()
  each(responses.responses, 'state.responses.responses', ({ formId, draft }, path) => {
    mustKnow(formById, formId, `${path}.formId`, 'a form')
    if (draft) mustBeNew(tokens, draft.token, `${path}.draft.token`)
  })

  ids(endpoints.endpoints, 'state.endpoints.endpoints', 'id')
  const endpointById = new Map(endpoints.endpoints.map((endpoint) => [endpoint.id, endpoint]))
  each(endpoints.endpoints, 'state.endpoints.endpoints', ({ formId, workspaceId }, path) => {
    mustKnow(formById, formId, `${path}.formId`, 'a form')
    if (formById.get(formId)?.workspaceId !== workspaceId)
      throw new DumpError(`${path}.workspaceId`, "is not the workspace of the endpoint's form")
  })

  ids(deliveries.deliveries, 'state.deliveries.deliveries', 'sequence')
  ids(deliveries.deliveries, 'state.deliveries.deliveries', 'id')
  each(deliveries.deliveries, 'state.deliveries.deliveries', ({ endpointId, formId }, path) => {
    mustKnow(endpointById, endpointId, `${path}.endpointId`, 'a webhook endpoint')
    if (endpointById.get(endpointId)?.formId !== formId)
      throw new DumpError(`${path}.formId`, "is not the form of the delivery's endpoint")
  })

  ids(uploads.uploads, 'state.uploads.uploads', 'id')
  each(uploads.uploads, 'state.uploads.uploads', ({ formId, responseId }, path) => {
    mustKnow(formById, formId, `${path}.formId`, 'a form')
    if (responseId !== null) mustKnow(responseIds, responseId, `${path}.responseId`, 'a response')
  })
}

/** As the builder takes them: options where the type has some, logic that names an earlier question. */
function mustBeQuestions(questions: readonly Question[], path: string): void {
  const read = readQuestions(questions, path)
  if (!read.ok) throw new DumpError(read.field, read.message)
  const other = questions.findIndex((question, index) => !isDeepStrictEqual(question, read.questions[index]))
  if (other >= 0) throw new DumpError(`${path}[${other}]`, 'is not what the builder makes of it')
}

function each<Record>(
  records: readonly Record[],
  path: string,
  look: (record: Record, path: string) => void,
): void {
  records.forEach((record, index) => {
    look(record, `${path}[${index}]`)
  })
}

/** The values of a field that no two records may share. */
function ids<Field extends string>(
  records: readonly Readonly<Record<Field, Id>>[],
  path: string,
  field: Field,
): Set<Id> {
  const seen = new Set<Id>()
  each(records, path, (record, at) => mustBeNew(seen, record[field], `${at}.${field}`))
  return seen
}

/** The value is not said: it may be a draft's token or a key's hash. */
function mustBeNew(seen: Set<Id>, id: Id, path: string): void {
  if (seen.has(id)) throw new DumpError(path, 'is already taken by another record')
  seen.add(id)
}

function mustKnow(known: { has(id: Id): boolean }, id: Id, path: string, what: string): void {
  if (!known.has(id)) throw new DumpError(path, `names ${what} that the snapshot does not hold`)
}
