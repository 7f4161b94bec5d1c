import type { Formwire } from '@formwire/sdk'
import type { SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { prepareStore, VERSION_TABLE } from './migrations.ts'

/** The workspaces of the clients that may write to each store. */
const accepted = new WeakMap<object, WeakMap<Formwire, string>>()

/**
 * Opens the store, creates or upgrades its tables, and checks that they belong to the workspace of the key, once per client. A new
 * database belongs to the first workspace that uses it. Returns the id of the workspace.
 *
 * @throws StoreError `other_workspace`, before a form or a response is written. @throws the SDK's errors
 */
export async function prepareForWorkspace<Transaction>(
  store: SyncStore<Transaction>,
  formwire: Formwire,
  signal: AbortSignal | undefined,
): Promise<string> {
  await prepareStore(store)
  const clients = accepted.get(store) ?? new WeakMap<Formwire, string>()
  const known = clients.get(formwire)
  if (known !== undefined) return known
  const { workspace } = await formwire.me({ signal })
  const id = String(workspace.id)
  const owner =
    (await readOwner(store)) ??
    ((await canAdopt(store, formwire, signal)) ? await adopt(store, id) : undefined)
  if (owner !== id) {
    // The service hides trashed forms and those of other workspaces alike.
    const message =
      owner === undefined
        ? `The database does not note its workspace, and none of its forms is visible to the key; it was left as it was. Use another database or key. If it belongs to workspace ${id} and its forms were trashed, note that: UPDATE ${VERSION_TABLE} SET workspace_id = '${id}'`
        : `The database belongs to workspace ${owner}, and the key to workspace ${id}; it was left as it was. Use another database, or a key of that workspace.`
    throw new StoreError(message, 'other_workspace')
  }
  accepted.set(store, clients.set(formwire, id))
  return id
}

async function readOwner(store: Pick<SyncStore, 'read'>): Promise<string | undefined> {
  const [row] = await store.read(`SELECT workspace_id FROM ${VERSION_TABLE}`)
  return typeof row?.workspace_id === 'string' ? row.workspace_id : undefined
}

/** Earlier versions did not note the workspace: theirs is the one that has any of the forms. */
async function canAdopt(
  store: Pick<SyncStore, 'read' | 'dialect'>,
  formwire: Formwire,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  // A form that was only ever delivered by webhook has a view, and no row.
  const rows = await store.read(
    `SELECT id FROM formwire_forms WHERE deleted_at IS NULL
      UNION SELECT form_id FROM formwire_sync_views WHERE form_id NOT IN (SELECT id FROM formwire_forms)`,
  )
  if (rows.length === 0) return true
  const stored = new Set(rows.map((row) => row.id))
  for await (const { id } of formwire.forms.list({ per_page: 100 }, { signal }))
    if (stored.has(store.dialect.text(id))) return true
  return false
}

/** Notes the workspace, unless another process was first. Returns whose the database is. */
function adopt<Transaction>(store: SyncStore<Transaction>, id: string): Promise<string | undefined> {
  return store.transaction('migrations', async (session) => {
    await session.query(`UPDATE ${VERSION_TABLE} SET workspace_id = ? WHERE workspace_id IS NULL`, [id])
    const [row] = await session.query(`SELECT workspace_id FROM ${VERSION_TABLE}`)
    return String(row?.workspace_id)
  })
}
