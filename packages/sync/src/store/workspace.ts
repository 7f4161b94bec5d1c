import type { Formwire } from '@formwire/sdk'
import type { SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import {
  adoptTables,
  prepareStore,
  requireTables,
  VERSION_TABLE,
  versionOf,
  WITH_WORKSPACES,
} from './migrations.ts'
import { namesOf } from './names.ts'
import { noteService, serviceOf } from './service.ts'

/** The workspaces of the clients that use each store. */
const workspaces = new WeakMap<object, WeakMap<Formwire, string>>()

/**
 * Opens the store, creates or upgrades its tables, and returns the id of the key's workspace, whose rows the client may read and write.
 * Asks the service once per client and store.
 *
 * @param options.movedFrom URL that the service had before @param options.beforeFirst called unless the rows are known to be of this service
 * @throws StoreError `other_workspace` for a database of an earlier version whose workspace is not known, and for rows of another service.
 * @throws the SDK's errors
 */
export async function prepareForWorkspace<Transaction>(
  store: SyncStore<Transaction>,
  formwire: Formwire,
  {
    signal,
    movedFrom,
    beforeFirst,
  }: { signal?: AbortSignal | undefined; movedFrom?: string | undefined; beforeFirst?: () => Promise<void> },
): Promise<string> {
  await prepareStore(store)
  const known = knownOf(store)
  const before = known.get(formwire)
  if (before !== undefined) return before
  const id = await askFor(formwire, signal)
  // Earlier versions of the client do not show it.
  const { baseUrl: url } = formwire as Partial<Formwire>
  const version = await versionOf(store)
  const isKnown = version >= WITH_WORKSPACES && url === (await serviceOf(store, id))
  if (!isKnown) await beforeFirst?.()
  if (version < WITH_WORKSPACES) {
    // The service hides trashed forms and those of other workspaces alike.
    if (!(await canAdopt(store, formwire, signal)))
      throw new StoreError(
        `The database does not note its workspace, and none of its forms is visible to the key; it was left as it was. Use another database or key. If it belongs to workspace ${id} and its forms were trashed, note that: UPDATE ${VERSION_TABLE} SET workspace_id = '${id}'`,
        'other_workspace',
      )
    await adoptTables(store, id)
  }
  if (url !== undefined && !isKnown) await noteService(store, id, { url, movedFrom })
  known.set(formwire, id)
  return id
}

/**
 * Returns the id of the key's workspace in tables that exist, which it only reads. Remembers nothing: the service is not compared with that of the rows.
 *
 * @throws StoreError `refused` without tables of this version. @throws the SDK's errors
 */
export async function workspaceOf<Transaction>(
  store: SyncStore<Transaction>,
  formwire: Formwire,
  signal: AbortSignal | undefined,
): Promise<string> {
  await store.open()
  await requireTables(store)
  return knownOf(store).get(formwire) ?? (await askFor(formwire, signal))
}

function knownOf(store: object): WeakMap<Formwire, string> {
  const known = workspaces.get(store) ?? new WeakMap<Formwire, string>()
  workspaces.set(store, known)
  return known
}

async function askFor(formwire: Formwire, signal: AbortSignal | undefined): Promise<string> {
  const { workspace } = await formwire.me({ signal })
  return String(workspace.id)
}

/** The first versions did not note the workspace: theirs is the one that has any of the forms. */
async function canAdopt(
  store: Pick<SyncStore, 'read' | 'dialect'>,
  formwire: Formwire,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { forms, views, version } = namesOf(store.dialect)
  const [noted] = await store.read(`SELECT workspace_id FROM ${version}`, [], { isQualified: true })
  if (typeof noted?.workspace_id === 'string') return true
  // A form that was only ever delivered by webhook has a view, and no row.
  const rows = await store.read(
    `SELECT id FROM ${forms} WHERE deleted_at IS NULL
      UNION SELECT form_id FROM ${views} WHERE form_id NOT IN (SELECT id FROM ${forms})`,
    [],
    { isQualified: true },
  )
  if (rows.length === 0) return true
  const stored = new Set(rows.map((row) => row.id))
  for await (const { id } of formwire.forms.list({ per_page: 100 }, { signal }))
    if (stored.has(store.dialect.text(id))) return true
  return false
}
