import type { Form, FormResponse } from '@formwire/contract'
import type { ReferenceServer } from '@formwire/reference-server'
import { expect } from 'vitest'
import type { SqlRow } from '../../src/index.ts'
import { RESPONSE_COLUMNS } from '../../src/rows/row.ts'

/** Reads the database like another program. */
type Query = (sql: string) => Promise<SqlRow[]>

/** Reads a path of the API by a bare request. Returns `undefined` for a 404. */
export async function readApi<Body>(server: ReferenceServer, path: string): Promise<Body | undefined> {
  const response = await server.fetch(
    new Request(`http://formwire.test/api/v1${path}`, {
      headers: { authorization: `Bearer ${server.writeKey}` },
    }),
  )
  if (response.status === 404) return undefined
  expect(response.status, path).toBe(200)
  return (await response.json()) as Body
}

async function readPages<Item>(server: ReferenceServer, path: string): Promise<Item[]> {
  const all: Item[] = []
  for (let page = 1; ; page += 1) {
    const url = `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`
    const list = await readApi<{ data: Item[]; meta: { total: number } }>(server, url)
    all.push(...(list?.data ?? []))
    if (all.length >= (list?.meta.total ?? 0)) return all
  }
}

/** What the table must equal. */
export interface Truth {
  server: ReferenceServer
  query: Query
  /** Forms that exist. */
  forms: readonly string[]
  /** Whether drafts have rows. */
  drafts?: boolean
  /** Deleted responses as they were. Their rows, if there are any, keep what was known of them. */
  deleted?: ReadonlyMap<number, FormResponse>
}

/**
 * Compares every column of every row of the forms with the service: live rows have the fields of the responses, and every other row
 * has `deleted_at`.
 */
export async function expectResponses({
  server,
  query,
  forms,
  drafts = false,
  deleted,
}: Truth): Promise<void> {
  const rows = (await query('SELECT * FROM formwire_responses ORDER BY form_id, id'))
    .filter(({ form_id }) => forms.includes(String(form_id)))
    .map(plainRow)
  for (const { synced_at } of rows) expect(synced_at).toMatch(INSTANT)
  const expected: FormResponse[] = []
  for (const form of forms) {
    expected.push(...(await readPages<FormResponse>(server, `/forms/${form}/responses`)))
    if (drafts)
      expected.push(...(await readPages<FormResponse>(server, `/forms/${form}/responses?status=in_progress`)))
  }
  const live = rows.filter(({ deleted_at }) => deleted_at === null)
  expect(sorted(live.map(fieldsOf)), 'live rows').toEqual(sorted(expected.map(fieldsOf)))
  for (const row of rows.filter(({ deleted_at }) => deleted_at !== null)) {
    expect(row.deleted_at).toMatch(INSTANT)
    const before = deleted?.get(row.id)
    if (!before || row.status === 'in_progress') continue
    // A webhook brings fewer fields, and nothing completes the row of a response that is deleted before the next poll.
    const isComplete = row.started_at !== null
    const known = isComplete ? before : { ...before, started_at: null, duration_sec: null, email: row.email }
    expect(fieldsOf(row), 'row of a deleted response').toEqual(fieldsOf(known))
  }
}

/** Compares every column of the table of forms with the service. A form that is trashed has `deleted_at`. */
export async function expectForms({
  server,
  query,
  forms,
  trashed = [],
}: Omit<Truth, 'drafts' | 'deleted'> & { trashed?: readonly string[] }): Promise<void> {
  const rows = (await query('SELECT * FROM formwire_forms')).filter(({ id }) =>
    [...forms, ...trashed].includes(String(id)),
  )
  for (const { synced_at } of rows) expect(synced_at).toMatch(INSTANT)
  for (const { id, deleted_at } of rows)
    expect(deleted_at, String(id)).toEqual(
      trashed.includes(String(id)) ? expect.stringMatching(INSTANT) : null,
    )
  const expected = (await readPages<Form>(server, '/forms')).filter(({ id }) => forms.includes(id))
  const live = rows.filter(({ deleted_at }) => deleted_at === null)
  expect(sorted(live.map(({ workspace_id, synced_at, deleted_at, ...row }) => plainForm(row)))).toEqual(
    sorted(expected.map((form) => ({ ...form }))),
  )
}

/** Expects each submitted response to have been handled once: what `onResponse` wrote equals the rows. @param condition of the forms */
export async function expectOutbox(query: Query, condition = 'TRUE'): Promise<void> {
  const ids = async (sql: string): Promise<number[]> =>
    (await query(`${sql} AND ${condition}`)).map(({ id }) => Number(id)).sort((a, b) => a - b)
  expect(await ids('SELECT id FROM outbox WHERE TRUE'), 'onResponse').toEqual(
    await ids("SELECT id FROM formwire_responses WHERE status = 'submitted'"),
  )
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

type PlainRow = { [Name in (typeof RESPONSE_COLUMNS)[number]]: unknown } & {
  form_id: string
  id: number
  synced_at: unknown
  deleted_at: unknown
}

/** A row with parsed JSON, and numbers as numbers. */
function plainRow(row: SqlRow): PlainRow {
  const json = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value)
  const number = (value: unknown): number | null => (value === null ? null : Number(value))
  return {
    ...(row as PlainRow),
    form_id: String(row.form_id),
    id: Number(row.id),
    duration_sec: number(row.duration_sec),
    score: number(row.score),
    max_score: number(row.max_score),
    answers: json(row.answers),
    meta: json(row.meta),
  }
}

function plainForm(row: SqlRow): SqlRow {
  const number = (value: unknown): number | null => (value === null ? null : Number(value))
  return {
    ...row,
    published: Boolean(row.published),
    response_count: number(row.response_count),
    response_limit: number(row.response_limit),
  }
}

/** The columns that come from the service. */
function fieldsOf(row: object): Record<string, unknown> {
  return Object.fromEntries(RESPONSE_COLUMNS.map((name) => [name, (row as Record<string, unknown>)[name]]))
}

function sorted(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  const key = ({ form_id = '', id }: Record<string, unknown>): string => `${form_id} ${id}`
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}
