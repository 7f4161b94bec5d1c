import { isDeepStrictEqual } from 'node:util'
import { sequenceOfId } from '../domain/delivery.ts'
import { type Question, readQuestions } from '../domain/question/index.ts'
import { SnapshotError } from './check-dump.ts'
import type { StateDump } from './state.ts'

type Id = string | number

/**
 * Checks that the ids of a dump are unique and that referenced records exist: the user of a key, the form of a response,
 * the endpoint of a delivery. A delivery may outlive its response (DLV-06), so that reference is not checked. Call
 * `checkDump` first. @throws SnapshotError for the first error.
 */
export function checkReferences(dump: StateDump): void {
  const { people, keys, forms, responses, endpoints, deliveries, uploads, submitTokens } = dump
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
  each(responses.responses, 'state.responses.responses', ({ formId, status, draft }, path) => {
    mustKnow(formById, formId, `${path}.formId`, 'a form')
    if ((draft !== null) !== (status === 'in_progress'))
      throw new SnapshotError(
        `${path}.draft`,
        `must be ${draft ? 'null' : 'an object'}: the response is ${status}`,
      )
    if (draft) mustBeNew(tokens, draft.token, `${path}.draft.token`)
  })

  ids(endpoints.endpoints, 'state.endpoints.endpoints', 'id')
  const endpointById = new Map(endpoints.endpoints.map((endpoint) => [endpoint.id, endpoint]))
  each(endpoints.endpoints, 'state.endpoints.endpoints', ({ formId, workspaceId }, path) => {
    mustKnow(formById, formId, `${path}.formId`, 'a form')
    if (formById.get(formId)?.workspaceId !== workspaceId)
      throw new SnapshotError(`${path}.workspaceId`, "is not the workspace of the endpoint's form")
  })

  ids(deliveries.deliveries, 'state.deliveries.deliveries', 'sequence')
  ids(deliveries.deliveries, 'state.deliveries.deliveries', 'id')
  each(
    deliveries.deliveries,
    'state.deliveries.deliveries',
    ({ id, sequence, endpointId, formId, status, nextAttemptAt }, path) => {
      mustKnow(endpointById, endpointId, `${path}.endpointId`, 'a webhook endpoint')
      if (endpointById.get(endpointId)?.formId !== formId)
        throw new SnapshotError(`${path}.formId`, "is not the form of the delivery's endpoint")
      if (sequenceOfId(id) !== sequence)
        throw new SnapshotError(`${path}.id`, "is not an id that ends in the delivery's sequence")
      if ((nextAttemptAt !== null) !== (status === 'pending'))
        throw new SnapshotError(
          `${path}.nextAttemptAt`,
          `must be ${nextAttemptAt === null ? 'an instant' : 'null'}: the delivery is ${status}`,
        )
    },
  )

  ids(uploads.uploads, 'state.uploads.uploads', 'id')
  each(uploads.uploads, 'state.uploads.uploads', ({ formId, responseId }, path) => {
    mustKnow(formById, formId, `${path}.formId`, 'a form')
    if (responseId !== null) mustKnow(responseIds, responseId, `${path}.responseId`, 'a response')
  })

  // Their responses may have been deleted.
  const used = submitTokens?.used ?? []
  ids(used, 'state.submitTokens.used', 'token')
  each(used, 'state.submitTokens.used', ({ formId }, path) => {
    mustKnow(formById, formId, `${path}.formId`, 'a form')
  })
}

/** Checks that questions are valid and normalised, as the builder stores them. */
function mustBeQuestions(questions: readonly Question[], path: string): void {
  const read = readQuestions(questions, path)
  if (!read.ok) throw new SnapshotError(read.refusal.field, read.refusal.message)
  const other = questions.findIndex((question, index) => !isDeepStrictEqual(question, read.value[index]))
  if (other >= 0)
    throw new SnapshotError(`${path}[${other}]`, 'differs from the normalised question definition')
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

/** Collects the values of a field, which must be unique. */
function ids<Field extends string>(
  records: readonly Readonly<Record<Field, Id>>[],
  path: string,
  field: Field,
): Set<Id> {
  const seen = new Set<Id>()
  each(records, path, (record, at) => mustBeNew(seen, record[field], `${at}.${field}`))
  return seen
}

/** The message does not contain the value, which may be a draft's token or a key's hash. */
function mustBeNew(seen: Set<Id>, id: Id, path: string): void {
  if (seen.has(id)) throw new SnapshotError(path, 'is already used by another record')
  seen.add(id)
}

function mustKnow(known: { has(id: Id): boolean }, id: Id, path: string, what: string): void {
  if (!known.has(id)) throw new SnapshotError(path, `refers to ${what} that is not in the snapshot`)
}
