import { isObject } from '@formwire/internal/json'
import type { SyncStore } from '../database/driver.ts'
import { SyncUsageError } from '../errors.ts'
import { AuditReads } from '../store/audit-reads.ts'
import { Marks } from '../store/marks.ts'
import { personRows } from '../store/person-rows.ts'
import { viewsOf } from '../store/views.ts'

/** A row with what a person has submitted. Does not contain it. */
export interface PersonRow {
  formId: string
  id: number
  status: string
  /** Whether the row is marked deleted. */
  deleted: boolean
  /** Where the email address is: `email`, and ids of questions. */
  columns: readonly string[]
  /** Name of the view that shows the row, if one does. */
  view: string | null
}

/**
 * Returns where a response has the email address of a person: `email`, and the ids of the questions that were answered with it. Letter
 * case and white space around it do not matter. The types of questions do not matter either: deployments name them differently (RESP-07).
 */
export function personColumns(email: string, response: { email?: unknown; answers?: unknown }): string[] {
  const wanted = comparable(email)
  const isPerson = (value: unknown): boolean => typeof value === 'string' && comparable(value) === wanted
  const { answers } = response
  return [
    ...(isPerson(response.email) ? ['email'] : []),
    ...(Array.isArray(answers) ? answers : [])
      .filter((answer) => isObject(answer) && isPerson(answer.value))
      .map(({ question_id: id }) => String(id)),
  ]
}

const comparable = (text: string): string => text.trim().normalize('NFC').toLowerCase()

/**
 * Returns the rows of a person, those marked deleted included. Reads the whole table, some hundred rows at a time, and writes nothing.
 *
 * @param forms ids of the forms to search. @default all of the database
 * @throws SyncUsageError for a database without tables of this package. @throws StoreError
 */
export async function findPersonRows({
  store,
  email,
  forms,
}: {
  store: SyncStore
  email: string
  forms?: readonly string[] | undefined
}): Promise<PersonRow[]> {
  await store.open()
  const reads = new AuditReads(store)
  if (!(await reads.exist()))
    throw new SyncUsageError('The database has no tables of @formwire/sync: synchronize it first.')
  const found: PersonRow[] = []
  for await (const row of personRows(store)) {
    if (forms && !forms.includes(row.formId)) continue
    const columns = personColumns(email, row)
    // Damaged JSON has no questions.
    const isMentioned =
      row.answers === undefined && comparable(String(row.rawAnswers)).includes(comparable(email))
    if (isMentioned) columns.push('answers')
    if (columns.length === 0) continue
    const { formId, id, status, deleted } = row
    found.push({ formId, id, status, deleted, columns, view: null })
  }
  const views = viewsOf(store)
  for (const formId of new Set(found.map((row) => row.formId))) {
    const view = await views.definition(reads.session, formId)
    if (!view || (await reads.viewColumns(view.name)).length === 0) continue
    const rows = found.filter((row) => row.formId === formId)
    const shown = await reads.shownIds(
      view,
      rows.map(({ id }) => id),
    )
    for (const row of rows) if (shown.has(row.id)) row.view = view.name
  }
  return found
}

/**
 * Erases rows as a synchronization with `deleted: 'erase'` erases those of deleted responses: they are marked deleted, and email, score,
 * answers and meta are cleared. No delivery brings them back; a synchronization does if the service still has the response. Returns how
 * many rows were erased.
 *
 * @throws StoreError
 */
export async function erasePersonRows({
  store,
  rows,
  now = Date.now,
}: {
  store: SyncStore
  rows: readonly Pick<PersonRow, 'formId' | 'id'>[]
  now?: () => number
}): Promise<number> {
  const marks = new Marks(store, 'erase', now)
  let erased = 0
  for (const formId of new Set(rows.map((row) => row.formId)))
    erased += await marks.erase(
      formId,
      rows.filter((row) => row.formId === formId).map(({ id }) => id),
    )
  return erased
}
