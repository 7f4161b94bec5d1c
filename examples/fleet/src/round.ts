import type { Formwire } from '@formwire/sdk'
import type { SyncStore } from '@formwire/sync'

/**
 * Returns the ids of the forms that have to be synchronized: new ones, those whose count differs from the table, those that are not
 * listed any more, and those that were last synchronized before `slowBefore`, since a count may stay equal while responses come and go.
 * Costs one request a hundred forms.
 */
export async function formsToSync<Transaction>(
  formwire: Formwire,
  store: SyncStore<Transaction>,
  slowBefore: Date,
  signal: AbortSignal,
): Promise<string[]> {
  const known = await knownForms(store)
  const slow = slowBefore.toISOString()
  const ids: string[] = []
  for await (const { id, response_count } of formwire.forms.list({ per_page: 100 }, { signal })) {
    const before = known.get(id)
    if (before === undefined || before.count !== response_count || before.syncedAt < slow) ids.push(id)
    known.delete(id)
  }
  return [...ids, ...known.keys()]
}

/** Returns the live forms of the table, which the first form creates. */
async function knownForms<Transaction>(
  store: SyncStore<Transaction>,
): Promise<Map<string, { count: number; syncedAt: string }>> {
  const [table] = await store.read(`SELECT to_regclass('formwire_forms') IS NOT NULL AS exists`)
  if (!table?.exists) return new Map()
  const rows = await store.read(
    'SELECT id, response_count, synced_at FROM formwire_forms WHERE deleted_at IS NULL',
  )
  return new Map(
    rows.map((row) => [
      String(row.id),
      { count: Number(row.response_count), syncedAt: String(row.synced_at) },
    ]),
  )
}
