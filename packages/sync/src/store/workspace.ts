import { isPlainHttpHost } from '@formwire/internal/loopback'
import type { Formwire } from '@formwire/sdk'
import type { SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { namesOf, prepareStore } from './schema.ts'
import { upsertSql } from './statements.ts'

/**
 * Opens the store, creates or checks its tables, and returns the id of the key's workspace, whose rows the client may read and write. Asks
 * the service once per client and store.
 *
 * @throws StoreError `other_workspace` for rows of another service. @throws the SDK's errors
 */
export async function prepareForWorkspace(
  store: SyncStore,
  formwire: Formwire,
  signal?: AbortSignal,
): Promise<string> {
  await prepareStore(store)
  const known = store.shared.of('workspaces', () => new WeakMap<Formwire, string>())
  const before = known.get(formwire)
  if (before !== undefined) return before
  const { workspace } = await formwire.me({ signal })
  const id = String(workspace.id)
  await noteService(store, id, formwire.baseUrl)
  known.set(formwire, id)
  return id
}

/** Returns the URL of the service that the rows of a workspace come from, or `undefined` if the tables do not note it. */
async function serviceOf(
  store: Pick<SyncStore, 'read' | 'dialect'>,
  workspaceId: string,
): Promise<string | undefined> {
  const sql = `SELECT service FROM ${namesOf(store.dialect).workspaces} WHERE workspace_id = ?`
  const [row] = await store.read(sql, [workspaceId], { isQualified: true })
  return row && String(row.service)
}

/** Whether a service is on this machine, where a server for tests has another port after each start. */
const isLocal = (url: string): boolean => isPlainHttpHost(new URL(url).hostname)

/**
 * Notes which service the rows of a workspace come from, unless the tables note it.
 *
 * @throws StoreError `other_workspace` if it is another service, whose workspace of the same id has other rows
 */
async function noteService(store: SyncStore, workspaceId: string, url: string): Promise<void> {
  if ((await serviceOf(store, workspaceId)) === url) return
  const { dialect } = store
  const table = namesOf(dialect).workspaces
  // Under one lock: another process may start at the same time.
  await store.transaction(`service ${workspaceId}`, async (session) => {
    const noted = (await serviceOf({ read: session.query, dialect }, workspaceId)) ?? url
    if (noted !== url && !(isLocal(noted) && isLocal(url)))
      throw new StoreError(
        `The rows of workspace ${workspaceId} come from the service at ${noted}, and the client uses the one at ${url}; the database was left as it was. Use another database or schema. If the service has moved, note that: UPDATE ${table} SET service = ${dialect.literal(url)} WHERE workspace_id = ${dialect.literal(workspaceId)}`,
        'other_workspace',
      )
    await session.query(upsertSql(table, ['workspace_id', 'service'], 1), [workspaceId, url])
  })
}
