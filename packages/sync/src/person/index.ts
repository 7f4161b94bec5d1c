import type { SyncStore } from '../database/driver.ts'
import { AuditReads } from '../store/audit-reads.ts'
import { Marks } from '../store/marks.ts'
import { requireTables } from '../store/migrations.ts'
import { personRows, rowsOf, type SearchedRow } from '../store/person-rows.ts'
import { viewsOf } from '../store/views.ts'
import { BY_ID, comparable, type PersonSearch, personColumns } from './columns.ts'

/** A row with what a person has submitted. Does not contain it. */
export interface PersonRow {
  workspaceId: string
  formId: string
  id: number
  status: string
  /** Whether the row is marked deleted. */
  deleted: boolean
  /** Where the email address is: `email`, and ids of questions; `id` for a row that was found by its ids. */
  columns: readonly string[]
  /** Name of the view that shows the row, if one does. */
  view: string | null
}

/**
 * Returns the rows of a person, those marked deleted included. With `email`, reads the whole table, some hundred rows at a time. Writes
 * nothing.
 *
 * @throws StoreError if the database fails, or `refused` without tables of this version
 */
export async function findPersonRows({
  store,
  email,
  responses = [],
  forms,
  workspaceId,
}: PersonSearch & { store: SyncStore }): Promise<PersonRow[]> {
  await store.open()
  await requireTables(store)
  const found: PersonRow[] = []
  const add = (row: SearchedRow, columns: readonly string[]): void => {
    if (columns.length === 0 || (forms && !forms.includes(row.formId))) return
    const { workspaceId, formId, id, status, deleted } = row
    found.push({ workspaceId, formId, id, status, deleted, columns, view: null })
  }
  if (email !== undefined)
    for await (const row of personRows(store, workspaceId)) add(row, columnsOf(row, email))
  for await (const row of rowsOf(store, workspaceId, responses)) add(row, BY_ID)
  for (const rows of byForm(found)) {
    const { workspaceId, formId } = rows[0] as PersonRow
    const reads = new AuditReads(store, workspaceId)
    const view = await viewsOf(store, workspaceId).definition(reads.session, formId)
    if (!view || (await reads.viewColumns(view.name)).length === 0) continue
    const shown = await reads.shownIds(
      view,
      rows.map(({ id }) => id),
    )
    for (const row of rows) if (shown.has(row.id)) row.view = view.name
  }
  return found
}

function columnsOf(row: SearchedRow, email: string): string[] {
  const columns = personColumns(email, row)
  // Damaged JSON has no questions.
  const isMentioned =
    row.answers === undefined && comparable(String(row.rawAnswers)).includes(comparable(email))
  return isMentioned ? [...columns, 'answers'] : columns
}

/** Returns the rows of each form of each workspace. */
function byForm<Row extends Pick<PersonRow, 'workspaceId' | 'formId'>>(rows: readonly Row[]): Row[][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = JSON.stringify([row.workspaceId, row.formId])
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()]
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
  rows: readonly Pick<PersonRow, 'workspaceId' | 'formId' | 'id'>[]
  now?: () => number
}): Promise<number> {
  let erased = 0
  for (const ofForm of byForm(rows)) {
    const { workspaceId, formId } = ofForm[0] as (typeof ofForm)[number]
    const marks = new Marks(store, workspaceId, 'erase', now)
    erased += await marks.erase(
      formId,
      ofForm.map(({ id }) => id),
    )
  }
  return erased
}
