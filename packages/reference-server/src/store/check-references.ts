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
  const users = checkTable(people.users, 'people.users', ['id'])
  const workspaces = checkTable(people.workspaces, 'people.workspaces', ['id'])
  const mustKnowMember = ({ userId, workspaceId }: { userId: Id; workspaceId: Id }, path: string): void => {
    mustKnow(users, userId, `${path}.userId`, 'a user')
    mustKnow(workspaces, workspaceId, `${path}.workspaceId`, 'a workspace')
  }
  checkTable(people.memberships, 'people.memberships', [], mustKnowMember)
  checkTable(keys.keys, 'keys.keys', ['id', 'hash'], mustKnowMember)

  checkTable(forms.forms, 'forms.forms', ['id', 'slug'], ({ workspaceId, questions, publication }, path) => {
    mustKnow(workspaces, workspaceId, `${path}.workspaceId`, 'a workspace')
    mustBeQuestions(questions, `${path}.questions`)
    if (publication) mustBeQuestions(publication.questions, `${path}.publication.questions`)
  })
  const formById = new Map(forms.forms.map((form) => [form.id, form]))

  const tokens = new Set<Id>()
  const responseIds = checkTable(
    responses.responses,
    'responses.responses',
    ['id'],
    ({ formId, status, draft }, path) => {
      mustKnow(formById, formId, `${path}.formId`, 'a form')
      if ((draft !== null) !== (status === 'in_progress'))
        throw new SnapshotError(
          `${path}.draft`,
          `must be ${draft ? 'null' : 'an object'}: the response is ${status}`,
        )
      if (draft) mustBeNew(tokens, draft.token, `${path}.draft.token`)
    },
  )

  checkTable(endpoints.endpoints, 'endpoints.endpoints', ['id'], ({ formId, workspaceId }, path) => {
    mustKnow(formById, formId, `${path}.formId`, 'a form')
    if (formById.get(formId)?.workspaceId !== workspaceId)
      throw new SnapshotError(`${path}.workspaceId`, "is not the workspace of the endpoint's form")
  })
  const endpointById = new Map(endpoints.endpoints.map((endpoint) => [endpoint.id, endpoint]))

  checkTable(deliveries.deliveries, 'deliveries.deliveries', ['sequence', 'id'], (delivery, path) => {
    const { id, sequence, endpointId, formId, status, nextAttemptAt } = delivery
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
  })

  checkTable(uploads.uploads, 'uploads.uploads', ['id'], ({ formId, responseId }, path) => {
    mustKnow(formById, formId, `${path}.formId`, 'a form')
    if (responseId !== null) mustKnow(responseIds, responseId, `${path}.responseId`, 'a response')
  })

  // Their responses may have been deleted.
  checkTable(submitTokens?.used ?? [], 'submitTokens.used', ['token'], ({ formId }, path) => {
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

/** Checks that fields of a table are unique, one after the other, and then each record. Returns the values of the first field. */
function checkTable<Row extends object>(
  rows: readonly Row[],
  name: string,
  unique: readonly (keyof Row & string)[],
  check: (row: Row, path: string) => void = () => {},
): Set<Id> {
  const sets = unique.map((field) => {
    const seen = new Set<Id>()
    for (const [index, row] of rows.entries())
      mustBeNew(seen, row[field] as Id, `state.${name}[${index}].${field}`)
    return seen
  })
  for (const [index, row] of rows.entries()) check(row, `state.${name}[${index}]`)
  return sets[0] ?? new Set()
}

/** The message does not contain the value, which may be a draft's token or a key's hash. */
function mustBeNew(seen: Set<Id>, id: Id, path: string): void {
  if (seen.has(id)) throw new SnapshotError(path, 'is already used by another record')
  seen.add(id)
}

function mustKnow(known: { has(id: Id): boolean }, id: Id, path: string, what: string): void {
  if (!known.has(id)) throw new SnapshotError(path, `refers to ${what} that is not in the snapshot`)
}
