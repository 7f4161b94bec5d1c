import { isPlainHttpHost } from '@formwire/internal/loopback'
import type { SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { namesOf } from './names.ts'

/** Returns the URL of the service that the rows of a workspace come from, or `undefined` if the tables do not note it. */
export async function serviceOf(
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
 * Notes which service the rows of a workspace come from, unless the tables note one.
 *
 * @param movedFrom URL that the service had before. Needs none if both are on this machine.
 * @throws StoreError `other_workspace` if it is another service, whose workspace of the same id has other rows
 */
export async function noteService<Transaction>(
  store: SyncStore<Transaction>,
  workspaceId: string,
  { url, movedFrom }: { url: string; movedFrom: string | undefined },
): Promise<void> {
  // Under one lock: another process may start at the same time.
  await store.transaction('service', async (session) => {
    const noted = (await serviceOf({ read: session.query, dialect: store.dialect }, workspaceId)) ?? url
    if (noted !== url && noted !== movedFrom && !(isLocal(noted) && isLocal(url)))
      throw new StoreError(
        `The rows of workspace ${workspaceId} come from the service at ${noted}, and the client uses the one at ${url}; the database was left as it was. Use another database or schema. If the service has moved, accept that with "movedFrom": "${noted}" (--moved-from ${noted} on the command line).`,
        'other_workspace',
      )
    const sql = `INSERT INTO ${namesOf(store.dialect).workspaces} (workspace_id, service) VALUES (?, ?)
      ON CONFLICT (workspace_id) DO UPDATE SET service = excluded.service`
    await session.query(sql, [workspaceId, url])
  })
}
