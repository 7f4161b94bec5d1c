import type { SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { namesOf } from './names.ts'

/** Returns the URL of the service that the rows of a workspace come from, or `undefined` if the tables do not note it. */
export async function serviceOf(
  store: Pick<SyncStore, 'read' | 'dialect'>,
  workspaceId: string,
): Promise<unknown> {
  const sql = `SELECT service FROM ${namesOf(store.dialect).workspaces} WHERE workspace_id = ?`
  return (await store.read(sql, [workspaceId], { isQualified: true }))[0]?.service
}

/**
 * Notes which service the rows of a workspace come from, unless the tables note one.
 *
 * @param movedFrom URL that the service had before
 * @throws StoreError `other_workspace` if it is another service, whose workspace of the same id has other rows
 */
export async function noteService<Transaction>(
  store: SyncStore<Transaction>,
  workspaceId: string,
  { url, movedFrom = url }: { url: string; movedFrom: string | undefined },
): Promise<void> {
  const sql = `INSERT INTO ${namesOf(store.dialect).workspaces} AS w (workspace_id, service) VALUES (?, ?)
    ON CONFLICT (workspace_id) DO UPDATE SET service = excluded.service WHERE w.service = ?`
  await store.transaction('service', (session) => session.query(sql, [workspaceId, url, movedFrom]))
  const noted = await serviceOf(store, workspaceId)
  if (noted !== url)
    throw new StoreError(
      `The rows of workspace ${workspaceId} come from the service at ${noted}, and the client uses the one at ${url}; the database was left as it was. Use another database or schema. If the service has moved, accept that with "movedFrom": "${noted}" (--moved-from ${noted} in the command line).`,
      'other_workspace',
    )
}
